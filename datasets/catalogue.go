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
)

//go:embed catalogue.json
var catalogueJSON []byte

// upstreamSet is one set of the embedded catalogue: what it is, where it comes
// from and what its files must be. No data are embedded.
type upstreamSet struct {
	Name, Title string
	// Collection says who gave the set to the public.
	Collection string
	// Format is one of the format constants.
	Format string
	// Repository (owner/name on GitHub), Commit and Folder locate the files.
	Repository, Commit, Folder string
	Rows                       int
	// Inputs and Targets name the columns.
	Inputs, Targets []string
	// Usual is how many of the targets, the first ones, are taken where none are
	// chosen; 0 for all.
	Usual int
	// Columns are those of the file that Inputs and Targets are, from 0, in this order.
	// Without them a file of formatCSV or formatPlain has just these.
	Columns []int
	// Splits counts the official splits.
	Splits int
	// Classes are the classes of the only target in the order of their codes; none for
	// real targets.
	Classes []upstreamClass
	// Warnings are known traps.
	Warnings []string
	Files    []upstreamFile
}

// upstreamClass is a class: its label in the file and what people call it.
type upstreamClass struct{ Label, Name string }

// upstreamFile is one file of a set.
type upstreamFile struct {
	Name string
	// Role is one of the role constants.
	Role string
	// Bytes and SHA256 (hexadecimal) are verified on download and on every use.
	Bytes  int64
	SHA256 string
	// Split is the number of the split for roleTestIndex.
	Split int
}

// The formats of upstream sets; upstream.go reads them.
const (
	formatTable = "whitespace-table"
	formatCSV   = "csv-gz"
	formatPlain = "csv" // with or without a first line of names
)

// The roles of upstream files.
const (
	roleData      = "data"       // the numbers
	roleTrain     = "train"      // formatPlain: the numbers but for those of the test part
	roleTest      = "test"       // formatPlain: the test part of the only split
	roleFeatures  = "features"   // formatTable: the columns that are inputs
	roleTarget    = "target"     // formatTable: the columns that are targets
	roleSplits    = "splits"     // formatTable: the number of splits
	roleTestIndex = "test_index" // formatTable: the test rows of one split
	roleTestMask  = "test_mask"  // formatCSV: one column per split, 1 marks a test row
)

// upstreamSets returns the embedded catalogue. It panics on a broken one, which
// a test would have found.
var upstreamSets = sync.OnceValue(func() []upstreamSet {
	var sets []upstreamSet
	if err := json.Unmarshal(catalogueJSON, &sets); err != nil {
		panic("datasets: embedded catalogue: " + err.Error())
	}
	return sets
})

// findUpstream returns the set of that name.
func findUpstream(name string) (upstreamSet, bool) {
	sets := upstreamSets()
	i := slices.IndexFunc(sets, func(s upstreamSet) bool { return s.Name == name })
	if i < 0 {
		return upstreamSet{}, false
	}
	return sets[i], true
}

// place returns where a file is in the repository.
func (s upstreamSet) place(f upstreamFile) string { return path.Join(s.Folder, f.Name) }

// bytes returns the size of the whole download.
func (s upstreamSet) bytes() int64 {
	var sum int64
	for _, f := range s.Files {
		sum += f.Bytes
	}
	return sum
}

// origin says where the set comes from, in one line.
func (s upstreamSet) origin() string {
	return fmt.Sprintf("%s; files of github.com/%s at %.7s", s.Collection, s.Repository, s.Commit)
}

// targets returns how many targets are taken where none are chosen.
func (s upstreamSet) targets() int {
	if s.Usual > 0 {
		return s.Usual
	}
	return len(s.Targets)
}

// info returns the set's line of the catalogue.
func (s upstreamSet) info() Info {
	kind := task.Regression
	switch n := len(s.Classes); {
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

// dataset returns a data set that carries the names of i.
func (i Info) dataset(x, y *mat.Dense, inputs, targets []string) *Dataset {
	return &Dataset{
		Name: i.Name, Title: i.Title, Origin: i.Origin, Task: i.Task,
		X: x, Y: y, Inputs: inputs, Targets: targets,
	}
}

// Catalogue returns the built-in sets, the default first, and then the sets that
// can be fetched, with Cached saying which of these are there. Sizes of files
// are looked at, their contents are not.
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

// Lookup returns the catalogue's line for a name. For the path of a file it
// returns a line of kind File, whose sizes are 0: they are known once the file
// is loaded. Otherwise the error lists the names.
func Lookup(name string) (Info, error) {
	if g, ok := findGenerator(name); ok {
		return g.info, nil
	}
	if s, ok := findUpstream(name); ok {
		return s.info(), nil
	}
	if name == "" {
		return Info{}, errors.New("no data set named")
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

// UnknownError says that a name is neither in the catalogue nor a file.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string {
	return fmt.Sprintf("no data set %q; there are %s, or give the path of a CSV file",
		e.Name, strings.Join(names(), ", "))
}

// looksLikePath says whether a name that is not in the catalogue is meant as a
// file, so that the error can be about the file.
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
