package datasets

import (
	"context"
	"crypto/sha256"
	"dgplab/datasets/table"
	"encoding/hex"
	"encoding/json"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// sharedData is the folder of the mirror and the tables. Tests that need it are skipped if it does
// not exist.
const sharedData = "../../shared/data"

func needShared(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(sharedData, path))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s does not exist", path)
	}
	return path
}

func TestCatalogue(t *testing.T) {
	t.Setenv("DGPLAB_CACHE", t.TempDir())
	seen := make(map[string]bool)
	defaults := 0
	for _, info := range Catalogue() {
		if seen[info.Name] || info.Name == All || looksLikePath(info.Name) {
			t.Errorf("name %q is not usable", info.Name)
		}
		seen[info.Name] = true
		if info.Title == "" || info.Origin == "" || info.N < 2 || info.D < 1 || info.P < 1 {
			t.Errorf("incomplete: %+v", info)
		}
		if info.Default {
			defaults++
		}
		if info.Cached != (info.Kind == Builtin) || (info.Bytes > 0) != (info.Kind == Fetchable) {
			t.Errorf("with an empty cache: %+v", info)
		}
		if again, err := Lookup(info.Name); err != nil || again != info {
			t.Errorf("Lookup(%q) = %+v, %v", info.Name, again, err)
		}
	}
	if defaults != 1 || !Catalogue()[0].Default {
		t.Errorf("%d defaults, want one, in the first place", defaults)
	}
	for _, name := range strings.Fields("steps letters mountaincar arm8 boston concrete energy kin8nm " +
		"naval power protein wine_red yacht") {
		if !seen[name] {
			t.Errorf("%s is missing", name)
		}
	}
	for _, s := range upstreamSets() {
		checkUpstream(t, s)
	}
}

// checkUpstream checks the assumptions of the reader.
func checkUpstream(t *testing.T, s upstreamSet) {
	t.Helper()
	roles := make(map[string]int)
	for _, f := range s.Files {
		if f.Role == roleTestIndex && f.Split != roles[roleTestIndex] {
			t.Errorf("%s: split %d is out of order", s.Name, f.Split)
		}
		roles[f.Role]++
		if len(f.SHA256) != 64 || f.Bytes <= 0 || f.Name != filepath.Base(f.Name) {
			t.Errorf("%s: file %+v", s.Name, f)
		}
	}
	if n := len(s.Columns); n > 0 && n != len(s.Inputs)+len(s.Targets) || s.Usual > len(s.Targets) {
		t.Errorf("%s: %d columns of %d inputs and %d targets", s.Name, n, len(s.Inputs), len(s.Targets))
	}
	want := map[string]int{roleData: 1, roleTestMask: 1}
	switch {
	case s.Format == formatPlain && s.Splits == 0:
		want = map[string]int{roleData: 1}
	case s.Format == formatPlain:
		want = map[string]int{roleTrain: 1, roleTest: 1}
	case s.Format == formatTable:
		want = map[string]int{
			roleData: 1, roleFeatures: 1, roleTarget: 1, roleSplits: 1, roleTestIndex: s.Splits,
		}
	}
	if !reflect.DeepEqual(roles, want) {
		t.Errorf("%s: files by role %v, want %v", s.Name, roles, want)
	}
}

// upstreamRecord is an entry of the upstream lists in sharedData.
type upstreamRecord struct {
	Name, Format, Repository, Commit, Task string
	Rows, Inputs, Targets, Splits          int
	Files                                  []struct {
		Path, SHA256, Role string
		Bytes              int64
	}
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(content, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestCatalogueMatchesUpstream compares the embedded catalogue with upstream.json.
func TestCatalogueMatchesUpstream(t *testing.T) {
	var upstream struct {
		Base string
		Sets []upstreamRecord
	}
	readJSON(t, needShared(t, "upstream.json"), &upstream)
	// The catalogue also contains sets of a second list and sets with a subset of the columns of
	// another set.
	whole := slices.DeleteFunc(slices.Clone(upstreamSets()), func(s upstreamSet) bool {
		return s.Columns != nil
	})
	if upstream.Base != defaultBase || len(upstream.Sets) != len(whole) {
		t.Errorf("base %s, %d sets; we have %s, %d",
			upstream.Base, len(upstream.Sets), defaultBase, len(whole))
	}
	var more struct{ Sets []upstreamRecord }
	readJSON(t, needShared(t, "upstream-more.json"), &more)
	for _, u := range slices.Concat(upstream.Sets, more.Sets) {
		s, ok := findUpstream(u.Name)
		if !ok || s.Format != u.Format || s.Repository != u.Repository ||
			s.Commit != u.Commit || s.Rows != u.Rows ||
			len(s.Inputs) != u.Inputs || len(s.Targets) != u.Targets || s.Splits != u.Splits ||
			len(s.Files) != len(u.Files) {
			t.Errorf("%s differs", u.Name)
			continue
		}
		for i, f := range u.Files {
			if ours := s.Files[i]; s.repositoryPath(ours) != f.Path || ours.SHA256 != f.SHA256 ||
				ours.Bytes != f.Bytes || ours.Role != f.Role {
				t.Errorf("%s: %s differs", u.Name, f.Path)
			}
		}
	}
}

// TestFetchAgainstTheMirror fetches sets from the mirror over HTTP and compares all values and
// splits with the tables of the same sets.
func TestFetchAgainstTheMirror(t *testing.T) {
	mirror := needShared(t, "mirror")
	tables := needShared(t, "tables")
	server := httptest.NewServer(http.FileServer(http.Dir(mirror)))
	defer server.Close()
	t.Setenv("DGPLAB_MIRROR", server.URL)
	t.Setenv("DGPLAB_CACHE", t.TempDir())
	for _, name := range []string{"boston", "concrete", "energy", "naval", "wine_red",
		"yacht", "protein", "bike"} {
		t.Run(name, func(t *testing.T) {
			if err := Fetch(context.Background(), name, nil); err != nil {
				t.Fatal(err)
			}
			ds, err := Load(context.Background(), Source{Name: name})
			if err != nil {
				t.Fatal(err)
			}
			if info, _ := Lookup(name); !info.Cached {
				t.Error("not cached after the fetch")
			}
			checkAgainstTable(t, ds, filepath.Join(tables, name))
		})
	}
}

// The bike12 data have twelve of the inputs of bike, the same target and the same splits.
func TestBikeWithoutLeaks(t *testing.T) {
	t.Setenv("DGPLAB_MIRROR", "file://"+needShared(t, "mirror"))
	t.Setenv("DGPLAB_CACHE", t.TempDir())
	var sets []*Dataset
	for _, name := range []string{"bike", "bike12"} {
		if err := Fetch(context.Background(), name, nil); err != nil {
			t.Fatal(err)
		}
		ds, err := Load(context.Background(), Source{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		sets = append(sets, ds)
	}
	whole, clean := sets[0], sets[1]
	if !mat.Equal(whole.Y, clean.Y) || !reflect.DeepEqual(whole.TestRows, clean.TestRows) ||
		len(clean.Inputs) != 12 || len(clean.Warnings) != 0 {
		t.Errorf("%d inputs, warnings %q", len(clean.Inputs), clean.Warnings)
	}
	for j, name := range clean.Inputs {
		k := slices.Index(whole.Inputs, name)
		if k < 0 || !mat.Equal(clean.X.ColView(j), whole.X.ColView(k)) {
			t.Errorf("input %s differs from the whole data", name)
		}
	}
}

// Sets with several outputs list their targets in the order of the tables. concrete_slump has
// different target names.
func TestSeveralOutputsAgainstTheMirror(t *testing.T) {
	tables := needShared(t, "tables")
	t.Setenv("DGPLAB_MIRROR", "file://"+needShared(t, "mirror"))
	t.Setenv("DGPLAB_CACHE", t.TempDir())
	for _, c := range []struct {
		name          string
		usual, inputs int
		all           []string
	}{
		{"jura", 3, 2, []string{"Cd", "Ni", "Zn", "Co", "Cr", "Cu", "Pb"}},
		{"concrete_slump", 3, 7, []string{"slump", "flow", "strength"}},
	} {
		if err := Fetch(context.Background(), c.name, nil); err != nil {
			t.Fatal(err)
		}
		usual, err := Load(context.Background(), Source{Name: c.name})
		if err != nil {
			t.Fatal(err)
		}
		ds, err := Load(context.Background(), Source{Name: c.name, Targets: c.all})
		if err != nil {
			t.Fatal(err)
		}
		columns := make([]string, len(c.all))
		for j := range columns {
			columns[j] = strconv.Itoa(c.inputs + j)
		}
		want, err := Load(context.Background(), Source{
			Name:    filepath.Join(tables, c.name, "data.csv"),
			Targets: columns,
		})
		if err != nil {
			t.Fatal(err)
		}
		n, _ := ds.X.Dims()
		if !mat.Equal(ds.X, want.X) || !mat.Equal(ds.Y, want.Y) ||
			!slices.Equal(usual.Targets, c.all[:c.usual]) ||
			!mat.Equal(usual.Y, ds.Y.Slice(0, n, 0, c.usual)) {
			t.Errorf("%s: values differ; the usual targets are %v", c.name, usual.Targets)
		}
		if len(ds.TestRows) > 0 && (len(ds.TestRows[0]) != 100 || ds.TestRows[0][0] != 259) {
			t.Errorf("%s: test rows %v", c.name, ds.TestRows)
		}
	}
	one, err := Load(context.Background(), Source{Name: "jura", Targets: []string{"Pb", "0"}})
	if err != nil || !slices.Equal(one.Targets, []string{"Pb", "Cd"}) ||
		one.Y.At(0, 0) != 77.36 || one.Y.At(0, 1) != 1.74 {
		t.Errorf("targets %v, %v", one, err)
	}
	for word, want := range map[string]string{
		"Hg": `data set jura: no target "Hg"; the targets are Cd, Ni, Zn, Co, Cr, Cu, Pb`,
		"Cd": `data set jura: target "Cd" is named twice`,
	} {
		if _, err := Load(context.Background(), Source{
			Name:    "jura",
			Targets: []string{"Cd", word},
		}); err == nil || err.Error() != want {
			t.Errorf("%s: %v", word, err)
		}
	}
}

// The classification sets have the inputs and the classes of the tables.
func TestClassesAgainstTheMirror(t *testing.T) {
	tables := needShared(t, "tables")
	t.Setenv("DGPLAB_MIRROR", "file://"+needShared(t, "mirror"))
	t.Setenv("DGPLAB_CACHE", t.TempDir())
	for name, counts := range map[string][]int{
		"australian": {383, 307}, "breast_cancer": {444, 239}, "ionosphere": {126, 225}, "pima": {500, 268},
		"glass": {70, 76, 17, 13, 9, 29}, "new_thyroid": {150, 35, 30}, "wine": {59, 71, 48},
	} {
		if err := Fetch(context.Background(), name, nil); err != nil {
			t.Fatal(err)
		}
		ds, err := Load(context.Background(), Source{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		want, err := Load(context.Background(), Source{
			Name:    filepath.Join(tables, name, "data.csv"),
			Targets: []string{"-1:class"},
		})
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(ds.X, want.X) || !mat.Equal(ds.Y, want.Y) || ds.Task != want.Task ||
			!slices.Equal(ds.Inputs, want.Inputs) {
			t.Errorf("%s: values differ", name)
		}
		if info, _ := Lookup(name); info.Classes != len(counts) || info.Task != ds.Task ||
			!slices.Equal(ds.ClassCounts(), counts) {
			t.Errorf("%s: %d classes, %v, task %v", name, info.Classes, ds.ClassCounts(), ds.Task)
		}
	}
}

// TestStrictReading reads numbers as they occur in files of the catalogue.
func TestStrictReading(t *testing.T) {
	for _, tt := range []struct {
		text, err string
		values    []float64 // without missing values
	}{
		{"1;2.5\nNA;1e3\nnan;\n", "", []float64{1, 2.5, 1000}},
		{"1;2\n1,5;3\n", `f, line 2, column 1: "1,5" is not a number; write the decimal comma as a point`,
			nil},
		{"1;2\n-;3\n", `f, line 2, column 1: "-" is not a number`, nil},
		{"1;2021-04-03\n", `f, line 1, column 2: "2021-04-03" is not a number`, nil},
	} {
		read, err := table.Read(t.Context(), "f", strings.NewReader(tt.text), table.ReadOptions{
			Delimiter: ';',
			NoHeader:  true,
			Strict:    true,
		})
		if tt.err != "" {
			if err == nil || err.Error() != tt.err {
				t.Errorf("%q: %v, want %s", tt.text, err, tt.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		var values []float64
		for i := range read.Rows() {
			for _, v := range read.Row(i) {
				if !math.IsNaN(v) {
					values = append(values, v)
				}
			}
		}
		if !slices.Equal(values, tt.values) {
			t.Errorf("%q: %v, want %v", tt.text, values, tt.values)
		}
	}
}

// Invalid split files are rejected with a message about the error.
func TestInvalidSplitFiles(t *testing.T) {
	tables := func(files map[string][]string) map[string][]*table.Table {
		out := map[string][]*table.Table{}
		for role, texts := range files {
			for _, text := range texts {
				read, err := table.Read(t.Context(), role+".txt", strings.NewReader(text), table.ReadOptions{
					NoHeader: true,
				})
				if err != nil {
					t.Fatal(err)
				}
				out[role] = append(out[role], read)
			}
		}
		return out
	}
	s := upstreamSet{Rows: 4, Splits: 2}
	indices := func(count string, tests ...string) map[string][]string {
		return map[string][]string{roleSplits: {count}, roleTestIndex: tests}
	}
	rows, err := s.indexedRows(tables(indices("2\n", "3\n0\n", "1.0\n")))
	if err != nil || !reflect.DeepEqual(rows, [][]int{{0, 3}, {1}}) {
		t.Errorf("rows %v, %v", rows, err)
	}
	for want, files := range map[string]map[string][]string{
		"no file for splits":               {},
		"1.5 is not an index":              indices("2\n", "0\n1.5\n", "1\n"),
		"-1 is not an index":               indices("2\n", "0\n", "-1\n"),
		"3e+09 is not an index":            indices("3e9\n", "0\n", "1\n"),
		"split 1: test row 4 does not":     indices("2\n", "0\n", "4\n"),
		"split 0: test row 2 is named":     indices("2\n", "2\n2\n", "1\n"),
		"found [3] splits":                 indices("3\n", "0\n", "1\n"),
		"found [2 2] splits":               indices("2\n2\n", "0\n", "1\n"),
		"found [2] splits, the catalogue ": indices("2\n", "0\n"),
	} {
		if rows, err := s.indexedRows(tables(files)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v gives %v and %v, want %q", files, rows, err, want)
		}
	}
	mask := func(texts ...string) map[string][]string { return map[string][]string{roleTestMask: texts} }
	rows, err = s.maskedRows(tables(mask("1,0\n0,0\n0,1\n1,1\n")))
	if err != nil || !reflect.DeepEqual(rows, [][]int{{0, 3}, {2, 3}}) {
		t.Errorf("rows %v, %v", rows, err)
	}
	for want, files := range map[string]map[string][]string{
		"lists 0 test masks":     mask(),
		"mask is 3 x 2, want 4 ": mask("1,0\n0,0\n0,1\n"),
		"mask is 4 x 1, want 4 ": mask("1\n0\n0\n1\n"),
	} {
		if rows, err := s.maskedRows(tables(files)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v gives %v and %v, want %q", files, rows, err, want)
		}
	}
}

// checkAgainstTable compares a data set with a folder of the tables.
func checkAgainstTable(t *testing.T, ds *Dataset, folder string) {
	t.Helper()
	paths, _ := filepath.Glob(filepath.Join(folder, "data.csv*"))
	if len(paths) != 1 {
		t.Fatalf("no table in %s", folder)
	}
	want, err := Load(context.Background(), Source{Name: paths[0], Targets: []string{"-1:number"}})
	if err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(ds.X, want.X) || !mat.Equal(ds.Y, want.Y) {
		t.Error("values differ")
	}
	if !slices.Equal(ds.Inputs, want.Inputs) || !slices.Equal(ds.Targets, want.Targets) {
		t.Errorf("columns %q, %q differ from %q, %q", ds.Inputs, ds.Targets, want.Inputs, want.Targets)
	}
	var splits struct{ Test [][]int }
	content, err := os.ReadFile(filepath.Join(folder, "splits.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(content, &splits); err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(ds.TestRows, splits.Test, slices.Equal) {
		t.Error("splits differ")
	}
}

// TestFetchAllFromFiles fetches every set from the folder of the mirror and prepares it.
func TestFetchAllFromFiles(t *testing.T) {
	mirror := needShared(t, "mirror")
	t.Setenv("DGPLAB_MIRROR", "file://"+filepath.ToSlash(mirror))
	t.Setenv("DGPLAB_CACHE", t.TempDir())
	if err := Fetch(context.Background(), All, nil); err != nil {
		t.Fatal(err)
	}
	for _, info := range Catalogue() {
		if info.Kind != Fetchable {
			continue
		}
		ds, err := Load(context.Background(), Source{Name: info.Name})
		if err != nil {
			t.Error(err)
			continue
		}
		checkDataset(t, ds)
		p, err := Prepare(ds, DefaultSplit(ds), 0.1, 0)
		if err != nil {
			t.Error(err)
			continue
		}
		constants := 0
		for _, w := range p.Warnings {
			if strings.Contains(w, "is constant in the training set") {
				constants++
			}
		}
		if want := map[string]int{"naval": 2, "ionosphere": 1}[info.Name]; constants != want {
			t.Errorf("%s: %d constant inputs, want %d", info.Name, constants, want)
		}
	}
}

// A verified set that cannot be read is an error with its name.
func TestUnreadableUpstreamFiles(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("DGPLAB_CACHE", cache)
	for text, want := range map[string]string{
		"1 2 3\n4 5\n":        "tiny/data.txt, line 2",
		"1 2 3\n":             "data set tiny: found 1 rows",
		tinyFiles["data.txt"]: "",
	} {
		s := tiny()
		if err := os.MkdirAll(filepath.Join(cache, "tiny"), 0o700); err != nil {
			t.Fatal(err)
		}
		for i := range s.Files {
			f := &s.Files[i]
			content := tinyFiles[f.Name]
			if f.Role == roleData {
				content = text
			}
			sum := sha256.Sum256([]byte(content))
			f.Bytes, f.SHA256 = int64(len(content)), hex.EncodeToString(sum[:])
			if err := os.WriteFile(filepath.Join(cache, "tiny", f.Name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, err := s.load(t.Context())
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestInconsistentUpstreamFiles reads verified sets with inconsistent files.
func TestInconsistentUpstreamFiles(t *testing.T) {
	parse := func(text string) []*table.Table {
		tab, err := table.Read(context.Background(), "f", strings.NewReader(text), table.ReadOptions{
			Delimiter: table.Whitespace,
			NoHeader:  true,
		})
		if err != nil {
			t.Fatal(err)
		}
		return []*table.Table{tab}
	}
	good := func() map[string][]*table.Table {
		return map[string][]*table.Table{
			roleData: parse("1 2 3\n4 5 6\n7 8 9\n"), roleFeatures: parse("0\n1\n"), roleTarget: parse("2\n"),
			roleSplits: parse("1\n"), roleTestIndex: parse("2\n"),
		}
	}
	if _, err := tiny().assemble(good()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ role, text, want string }{
		{roleData, "1 2 3\n", "found 1 rows"}, {roleData, "1 2 3\n4 NA 6\n7 8 9\n", "line 2"},
		{roleTarget, "3\n", "no column 3"},
		{roleTarget, "0.5\n", "0.5 is not an index"},
		{roleFeatures, "0\n7\n", "no column 7"},
		{roleFeatures, "0.5\n1\n", "0.5 is not an index"},
		{roleFeatures, "-1\n0\n", "-1 is not an index"},
		{roleSplits, "2\n", "found [2] splits"},
		{roleTestIndex, "3\n", "split 0: test row 3 does not exist"},
		{roleTestIndex, "1\n1\n", "split 0: test row 1 is named twice"},
	} {
		tables := good()
		tables[c.role] = parse(c.text)
		if _, err := tiny().assemble(tables); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s = %q: %v, want %q", c.role, c.text, err, c.want)
		}
	}
	without := good()
	delete(without, roleData)
	_, err := tiny().assemble(without)
	if err == nil || err.Error() != "the catalogue lists 0 data files, want 1" {
		t.Errorf("no data: %v", err)
	}
	classes := tiny()
	classes.Classes = []upstreamClass{{Label: "3", Name: "three"}, {Label: "6", Name: "six"}}
	if _, err := classes.assemble(good()); err == nil || err.Error() != `f, line 3: unknown class "9"` {
		t.Errorf("an unknown class: %v", err)
	}
	labelled, err := table.Read(context.Background(), "f", strings.NewReader("1 x 3\n4 5 6\n7 8 3\n"),
		table.ReadOptions{Delimiter: table.Whitespace, NoHeader: true, Labels: true})
	if err != nil {
		t.Fatal(err)
	}
	texts := good()
	texts[roleData] = []*table.Table{labelled}
	_, err = classes.assemble(texts)
	if err == nil || !strings.Contains(err.Error(), `"x" is not a number`) {
		t.Errorf("a text among the inputs: %v", err)
	}
	masked := tiny()
	masked.Format = formatCSV
	tables := map[string][]*table.Table{roleData: good()[roleData], roleTestMask: parse("0\n1\n0\n")}
	ds, err := masked.assemble(tables)
	if err != nil || !slices.Equal(ds.TestRows[0], []int{1}) {
		t.Errorf("mask: %v, %v", ds, err)
	}
	tables[roleTestMask] = parse("0 1\n1 0\n0 0\n")
	if _, err := masked.assemble(tables); err == nil ||
		!strings.Contains(err.Error(), "test mask is 3 x 2, want 3 x 1") {
		t.Errorf("mask of the wrong width: %v", err)
	}
}
