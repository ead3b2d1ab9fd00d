package rundir

import (
	"os"
	"strings"
	"testing"
	"time"
)

func TestRoot(t *testing.T) {
	tests := []struct{ runs, data, home, want string }{
		{"/a", "/b", "/h", "/a"},
		{"", "/b", "/h", "/b/dgplab/runs"},
		{"", "", "/h", "/h/.local/share/dgplab/runs"},
		{"", "relative", "/h", "/h/.local/share/dgplab/runs"},
	}
	for _, tt := range tests {
		t.Setenv("DGPLAB_RUNS", tt.runs)
		t.Setenv("XDG_DATA_HOME", tt.data)
		t.Setenv("HOME", tt.home)
		if got, err := Root(); err != nil || got != tt.want {
			t.Errorf("%+v: %s, %v", tt, got, err)
		}
	}
}

func TestIDs(t *testing.T) {
	now := time.Date(2025, 1, 2, 15, 4, 5, 0, time.UTC)
	tests := []struct{ dataset, want string }{
		{"boston", "20250102-150405-boston-star-"},
		{"/data/My Table (2).csv.gz", "20250102-150405-my-table-2-star-"},
		{"/data/日本.csv", "20250102-150405-data-star-"},
		{"A`Z{0:9_/.csv", "20250102-150405-csv-star-"},
		{"A`Z{0:9_-.csv", "20250102-150405-a-z-0-9_-star-"},
		{"../a_very_long_name_of_a_file_that_goes_on.csv", "20250102-150405-a_very_long_name_of_a_fi-star-"},
	}
	for _, tt := range tests {
		got := newID(Config{Dataset: tt.dataset, Family: "star"}, now)
		if !strings.HasPrefix(got, tt.want) || len(got) != len(tt.want)+6 {
			t.Errorf("%s: %s, want %s......", tt.dataset, got, tt.want)
		}
	}
}

// TestWriteFileNames refuses names that would leave the run directory or replace its files.
func TestWriteFileNames(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"", ".hidden", "../x", "a/b", notesName, configName, metricsName,
		checkpointName, summaryName, pointsName, leftOutName, diagnosticsName, CrashFile, lockName,
		DamagedFile} {
		if path, err := WriteFile(dir, name, nil); err == nil || path != "" {
			t.Errorf("%q is written as %s", name, path)
		}
	}
	if list, _ := os.ReadDir(dir); len(list) > 0 {
		t.Errorf("written: %v", list)
	}
}
