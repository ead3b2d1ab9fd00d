package reproduce

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"dgplab/datasets/files"
	"dgplab/datasets/wording"
	"dgplab/session/sweep"
)

//go:embed experiments
var embedded embed.FS

// folder is the folder of the embedded experiments.
const folder = "experiments"

// maxSize is the maximum size of an experiment in bytes, which also bounds the nesting of lists. maxDepth is
// the maximum number of inline tables; see files.NestsDeeply.
const (
	maxSize  = 64 << 10
	maxDepth = 1000
)

// IDs returns the IDs of all experiments, sorted.
func IDs() (ids []string) {
	files, err := fs.Glob(embedded, folder+"/*/*.toml")
	if err != nil {
		panic(err) // The pattern is constant.
	}
	for _, file := range files {
		ids = append(ids, strings.TrimSuffix(strings.TrimPrefix(file, folder+"/"), ".toml"))
	}
	return ids
}

// Get returns the experiment with an ID.
func Get(id string) (*Experiment, error) {
	text, err := fs.ReadFile(embedded, path.Join(folder, id+".toml"))
	if err != nil {
		return nil, fmt.Errorf("unknown experiment %q%s", id, suggestion(id))
	}
	e, err := parse(id, string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", id, err)
	}
	return e, nil
}

// suggestion returns the experiments that begin with a part of an ID, such as the name of the first author,
// or the closest ID, or all experiments.
func suggestion(id string) string {
	ids := IDs()
	begun := slices.DeleteFunc(slices.Clone(ids), func(other string) bool {
		return id == "" || !strings.HasPrefix(other, strings.ToLower(id))
	})
	if len(begun) > 1 {
		return "; did you mean one of " + strings.Join(begun, ", ") + "?"
	}
	return wording.DidYouMeanOr(id, ids, "the experiments are "+strings.Join(ids, ", "))
}

// Read reads the experiment in a file. Its ID is the name of the file without extension.
func Read(file string) (*Experiment, error) {
	text, err := files.ReadLinked(file, maxSize)
	if err != nil {
		return nil, err
	}
	id := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	if err := sweep.CheckName(id); err != nil {
		return nil, fmt.Errorf("%s: the name of the file names its sweep: %w", file, err)
	}
	e, err := parse(id, string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, files.Brief(err))
	}
	return e, nil
}
