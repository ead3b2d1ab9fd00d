package datasets

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
	"dgplab/datasets/wording"
)

//go:embed catalogue.json
var catalogueJSON []byte

// upstreamSet is one set of the embedded catalogue: its description, its location and the expected
// files. The catalogue contains no data.
type upstreamSet struct {
	Name, Title string
	// Collection names the publisher of the set.
	Collection string
	// Format is one of the format constants.
	Format string
	// Repository (owner/name on GitHub), Commit and Folder locate the files.
	Repository, Commit, Folder string
	Rows                       int
	// Inputs and Targets name the columns.
	Inputs, Targets []string
	// Usual is the number of targets used by default, starting with the first; 0 means all.
	Usual int
	// Columns lists the column indices in the file, from 0, of Inputs followed by Targets. If it is
	// nil, a file of formatCSV or formatPlain has exactly these columns in this order.
	Columns []int
	// Splits is the number of official splits.
	Splits int
	// Classes lists the classes of the single target in the order of their codes. It is nil for
	// real targets.
	Classes []upstreamClass
	// Warnings describes known problems of the data.
	Warnings []string
	Files    []upstreamFile
}

// upstreamClass is a class: its label in the file and its name.
type upstreamClass struct{ Label, Name string }

// upstreamFile is one file of a set.
type upstreamFile struct {
	Name string
	// Role is one of the role constants.
	Role string
	// Bytes and SHA256 (hexadecimal) are verified on download and on every use.
	Bytes  int64
	SHA256 string
	// Split is the number of the split, for roleTestIndex.
	Split int
}

// Formats of upstream sets; see upstream.go.
const (
	formatTable = "whitespace-table"
	formatCSV   = "csv-gz"
	formatPlain = "csv" // with or without a header
)

// Roles of upstream files.
const (
	roleData      = "data"       // the numbers
	roleTrain     = "train"      // formatPlain: the rows of the training set
	roleTest      = "test"       // formatPlain: the test set of the only split
	roleFeatures  = "features"   // formatTable: the columns of the inputs
	roleTarget    = "target"     // formatTable: the columns of the targets
	roleSplits    = "splits"     // formatTable: the number of splits
	roleTestIndex = "test_index" // formatTable: the test rows of one split
	roleTestMask  = "test_mask"  // formatCSV: one column per split, 1 marks a test row
)

// upstreamSets returns the embedded catalogue. It panics if the catalogue is invalid, which a test
// excludes.
var upstreamSets = sync.OnceValue(func() []upstreamSet {
	var sets []upstreamSet
	if err := json.Unmarshal(catalogueJSON, &sets); err != nil {
		panic("datasets: embedded catalogue: " + err.Error())
	}
	return sets
})

// findUpstream returns the set with the given name.
func findUpstream(name string) (upstreamSet, bool) {
	sets := upstreamSets()
	i := slices.IndexFunc(sets, func(s upstreamSet) bool { return s.Name == name })
	if i < 0 {
		return upstreamSet{}, false
	}
	return sets[i], true
}

// repositoryPath returns the path of a file in the repository.
func (s upstreamSet) repositoryPath(f upstreamFile) string { return path.Join(s.Folder, f.Name) }

// bytes returns the total size of the download.
func (s upstreamSet) bytes() int64 {
	var sum int64
	for _, f := range s.Files {
		sum += f.Bytes
	}
	return sum
}

// origin describes the source of the set in one line.
func (s upstreamSet) origin() string {
	return fmt.Sprintf("%s; files of github.com/%s at %.7s", s.Collection, s.Repository, s.Commit)
}

// targets returns the number of targets used by default.
func (s upstreamSet) targets() int {
	if s.Usual > 0 {
		return s.Usual
	}
	return len(s.Targets)
}

// info returns the catalogue entry of the set.
func (s upstreamSet) info() Info {
	kind := task.Regression
	n := len(s.Classes)
	switch {
	case n == 2:
		kind = task.Binary
	case n > 2:
		kind = task.Multiclass
	}
	return Info{
		Name: s.Name, Title: s.Title, Kind: Fetchable, Task: kind, Classes: len(s.Classes),
		N: s.Rows, D: len(s.Inputs), P: s.targets(), Splits: s.Splits,
		Bytes: s.bytes(), Cached: s.cached(), Origin: s.origin(),
	}
}

// dataset returns a data set with the name, title, origin and task of i.
func (i Info) dataset(x, y *mat.Dense, inputs, targets []string) *Dataset {
	return &Dataset{
		Name: i.Name, Title: i.Title, Origin: i.Origin, Task: i.Task,
		X: x, Y: y, Inputs: inputs, Targets: targets,
	}
}

// Catalogue returns the built-in sets, the default first, followed by the downloadable sets. It
// determines Cached from file sizes and modification times, and reads contents only if these have
// changed.
func Catalogue() []Info {
	var list []Info
	for _, g := range generators {
		list = append(list, g.info)
	}
	for _, s := range upstreamSets() {
		list = append(list, s.info())
	}
	return list
}

// Lookup returns the catalogue entry of a name. For the path of a file, it returns an entry of kind
// File without N, D and P. For any other name, the error lists the names.
func Lookup(name string) (Info, error) {
	if g, ok := findGenerator(name); ok {
		return g.info, nil
	}
	if s, ok := findUpstream(name); ok {
		return s.info(), nil
	}
	if name == "" {
		return Info{}, errors.New("no data set name given")
	}
	stat, err := os.Stat(name)
	switch {
	case err == nil && stat.IsDir():
		return Info{}, fmt.Errorf("data set %s is a folder; want a CSV file", name)
	case err == nil:
		return Info{
			Name:   name,
			Title:  name,
			Kind:   File,
			Cached: true,
			Bytes:  stat.Size(),
			Origin: "file " + name,
		}, nil
	case looksLikePath(name):
		return Info{}, fmt.Errorf("data set: %w", err)
	}
	return Info{}, &UnknownError{name}
}

// UnknownError reports a name that is neither in the catalogue nor a file.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string {
	return fmt.Sprintf("unknown data set %q", e.Name) + wording.DidYouMeanOr(e.Name, names(),
		"use one of "+strings.Join(names(), ", ")+", or the path of a CSV file")
}

// looksLikePath reports whether a name that is not in the catalogue is probably a path, so that the
// error can refer to the file.
func looksLikePath(name string) bool { return strings.ContainsAny(name, `/\.`) }

// names returns the names of the catalogue in order.
func names() []string {
	var list []string
	for _, g := range generators {
		list = append(list, g.info.Name)
	}
	for _, s := range upstreamSets() {
		list = append(list, s.Name)
	}
	return list
}
