package cli

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mayImport maps packages to the packages of this repository that they may import, in addition to themselves.
// "x/..." stands for x and all packages below it. A longer key takes precedence over a shorter one.
var mayImport = map[string][]string{
	"dgplab": {"dgplab/tui/cli"},
	"dgplab/tui": {"dgplab/tui/...", "dgplab/session/...", "dgplab/viz/...", "dgplab/models",
		"dgplab/models/family", "dgplab/datasets/..."},
	// Pictures of runs do not depend on screens.
	"dgplab/tui/board": aScreen,
	// Screens may not import other screens.
	"dgplab/tui/setup":    slices.Concat(aScreen, []string{"dgplab/tui/form"}),
	"dgplab/tui/dash":     slices.Concat(aScreen, []string{"dgplab/tui/board"}),
	"dgplab/tui/browse":   slices.Concat(aScreen, []string{"dgplab/tui/form"}),
	"dgplab/tui/sweep":    slices.Concat(aScreen, []string{"dgplab/tui/form"}),
	"dgplab/tui/settings": slices.Concat(aScreen, []string{"dgplab/tui/form"}),
	// Commands and screens share these words, tables and pictures.
	"dgplab/tui/report": {"dgplab/session/...", "dgplab/viz/...", "dgplab/models/view",
		"dgplab/datasets", "dgplab/datasets/table"},
	"dgplab/tui/form": {"dgplab/tui/kit", "dgplab/tui/report", "dgplab/session/...", "dgplab/models",
		"dgplab/models/family", "dgplab/datasets"},
	"dgplab/tui/kit": {"dgplab/tui/report", "dgplab/session/...", "dgplab/viz/...", "dgplab/models",
		"dgplab/models/family", "dgplab/datasets"},
	"dgplab/tui/kit/kittest": {"dgplab/tui/kit", "dgplab/session/...", "dgplab/models",
		"dgplab/models/family", "dgplab/models/sampling", "dgplab/models/view", "dgplab/datasets/...",
		"dgplab/viz/golden"},
	"dgplab/tui/cli": {"dgplab/tui", "dgplab/tui/board", "dgplab/tui/kit", "dgplab/tui/report",
		"dgplab/tui/settings", "dgplab/session/...",
		"dgplab/viz/...", "dgplab/models/...", "dgplab/datasets/..."},
	"dgplab/session": {"dgplab/session/...", "dgplab/models/...", "dgplab/datasets/..."},
	"dgplab/session/rundir": {"dgplab/datasets/files", "dgplab/models", "dgplab/models/family",
		"dgplab/models/infer", "dgplab/models/likelihood", "dgplab/models/view", "dgplab/datasets",
		"dgplab/datasets/table", "dgplab/datasets/task"},
	"dgplab/session/rundir/rundirtest": {"dgplab/session/rundir", "dgplab/models", "dgplab/models/family",
		"dgplab/datasets/table", "dgplab/datasets/task", "dgplab/viz/golden"},
	// Configurations do not depend on training.
	"dgplab/session/config": {"dgplab/session/rundir", "dgplab/models", "dgplab/models/family",
		"dgplab/models/likelihood", "dgplab/datasets", "dgplab/datasets/table", "dgplab/datasets/task"},
	"dgplab/session/watch": {"dgplab/session/rundir", "dgplab/models",
		"dgplab/models/family", "dgplab/models/infer", "dgplab/models/sampling", "dgplab/models/view"},
	// Probes query models and do not depend on training.
	"dgplab/session/probe": {"dgplab/session/config", "dgplab/session/interrupt", "dgplab/session/rundir",
		"dgplab/session/npz",
		"dgplab/models", "dgplab/models/family", "dgplab/models/predictive", "dgplab/models/stats",
		"dgplab/models/view", "dgplab/datasets", "dgplab/datasets/table", "dgplab/datasets/task"},
	"dgplab/models": {"dgplab/models/...", "dgplab/datasets/task", "dgplab/datasets/wording"},
	// It reads files, which models may not do.
	"dgplab/models/oracletest": nil,
	// Kinds of pictures may not import each other.
	"dgplab/viz":        thePictures,
	"dgplab/viz/plots":  slices.Concat(thePictures, []string{"dgplab/viz/curves", "dgplab/viz/tables"}),
	"dgplab/viz/chart":  {"dgplab/viz/canvas", "dgplab/viz/figure"},
	"dgplab/viz/figure": {"dgplab/viz/canvas"},
	"dgplab/viz/golden": {"dgplab/viz/canvas"},
	"dgplab/viz/canvas": nil,
	"dgplab/datasets": {"dgplab/datasets/files", "dgplab/datasets/table", "dgplab/datasets/task",
		"dgplab/datasets/wording"},
	// This package is about CSV files and their columns.
	"dgplab/datasets/table":   {"dgplab/datasets/wording"},
	"dgplab/datasets/wording": nil,
	// Reading and writing of files for all packages.
	"dgplab/datasets/files":           nil,
	"dgplab/datasets/files/filestest": {"dgplab/datasets/files"},
	// The task, the only notion shared by data and models.
	"dgplab/datasets/task": nil,
}

// aScreen holds the allowed imports of each screen.
var aScreen = []string{
	"dgplab/tui/kit", "dgplab/tui/report",
	"dgplab/session/...", "dgplab/viz/...",
	"dgplab/models", "dgplab/models/family", "dgplab/models/view",
	"dgplab/datasets/...",
}

// thePictures holds the allowed imports of each kind of picture.
var thePictures = []string{"dgplab/viz/canvas", "dgplab/viz/chart", "dgplab/viz/figure"}

// terminalLibraries holds libraries that only packages that draw may import.
var terminalLibraries = []string{
	"github.com/charmbracelet/bubbletea", "github.com/charmbracelet/bubbles",
	"github.com/charmbracelet/lipgloss",
	"github.com/muesli/termenv", "github.com/spf13/cobra", "golang.org/x/term",
}

// notInModels holds the standard packages that models/... may not import.
var notInModels = []string{"os", "net", "net/http", "log"}

// importsOf returns the imports of every package of the repository, without tests.
func importsOf(t *testing.T, root string) map[string][]string {
	t.Helper()
	imports := map[string][]string{}
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != root &&
			(strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata"):
			return filepath.SkipDir
		case entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		if file.Name.Name == "main" && filepath.Dir(name) != root {
			return nil // Generators are not part of the program.
		}
		folder, err := filepath.Rel(root, filepath.Dir(name))
		if err != nil {
			return err
		}
		from := path.Join("dgplab", filepath.ToSlash(folder))
		for _, spec := range file.Imports {
			to, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			imports[from] = append(imports[from], to)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return imports
}

// rulesFor returns the rule that applies to a package.
func rulesFor(pkg string) (part string, allowed []string, ok bool) {
	for part = pkg; part != "."; part = path.Dir(part) {
		if allowed, ok := mayImport[part]; ok && (part != "dgplab" || pkg == "dgplab") {
			return part, allowed, true
		}
	}
	return "", nil, false
}

func permitted(to string, allowed []string) bool {
	return slices.ContainsFunc(allowed, func(rule string) bool {
		below, all := strings.CutSuffix(rule, "/...")
		return to == below || all && strings.HasPrefix(to, below+"/")
	})
}

// TestImportsRunOneWay checks the layering: main imports the command line, which imports the
// screen, which imports session and pictures, and so on.
func TestImportsRunOneWay(t *testing.T) {
	imports := importsOf(t, filepath.Join("..", ".."))
	if len(imports["dgplab"]) == 0 || len(imports["dgplab/models"]) == 0 {
		t.Fatalf("the repository was not found: %d packages", len(imports))
	}
	for _, from := range sortedKeys(imports) {
		part, allowed, ok := rulesFor(from)
		if !ok {
			t.Errorf("there is no rule for %s", from)
			continue
		}
		for _, to := range imports[from] {
			if strings.HasPrefix(to, "dgplab/") && !permitted(to, allowed) {
				t.Errorf("%s imports %s; %s may import %v", from, to, part, allowed)
			}
			if strings.HasSuffix(to, "test") && strings.HasPrefix(to, "dgplab/") &&
				!strings.HasSuffix(from, "test") {
				t.Errorf("%s imports %s, which is for tests", from, to)
			}
			below := permitted(from, []string{"dgplab/session", "dgplab/session/...",
				"dgplab/models/...", "dgplab/datasets/..."})
			if below && slices.ContainsFunc(terminalLibraries, func(l string) bool {
				return strings.HasPrefix(to, l)
			}) {
				t.Errorf("%s imports %s, which is for the screen", from, to)
			}
			if from == "dgplab/tui/board" && strings.Contains(to, "bubbletea") {
				t.Errorf("%s imports %s; pictures do not handle messages", from, to)
			}
			if part == "dgplab/models" && slices.Contains(notInModels, to) {
				t.Errorf("%s imports %s; models must not use files, the network or logs", from, to)
			}
		}
	}
}

// TestTopLevel restricts the top level of the repository.
func TestTopLevel(t *testing.T) {
	allowed := []string{"go.mod", "go.sum", "main.go", "tui", "session", "models", "viz",
		"datasets", "README.md", "LICENSE"}
	entries, err := os.ReadDir(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasPrefix(name, ".") && !slices.Contains(allowed, name) && !ignoredByGit(name) {
			t.Errorf("%s is not allowed at the top level", name)
		}
	}
}

// ignoredByGit matches the patterns of .gitignore: binaries and profiles.
func ignoredByGit(name string) bool {
	return name == "dgplab" || slices.Contains([]string{".test", ".prof", ".out"}, filepath.Ext(name))
}
