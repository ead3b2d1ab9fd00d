package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// program is the code to mutate.
type program struct {
	graph    graph
	root     string // of the module
	fset     *token.FileSet
	importer types.Importer
	edits    map[string][]edit // by kind of change
	kinds    []string
}

// pack is a package with its syntax trees.
type pack struct {
	path  string
	files []*source
	info  *types.Info
}

// source is a source file.
type source struct {
	name string
	text []byte
	tree *ast.File
}

// edit replaces bytes [start, end) of a file by new.
type edit struct {
	pack       *pack
	file       *source
	start, end int
	new        string
}

// mutant is a change that compiles.
type mutant struct {
	number   int // in the campaign
	edit     edit
	text     []byte // of the changed file
	change   string // position and change, to print
	switched bool   // The build with all mutants contains it.
	always   bool   // It is reached in all tests.
}

// load parses and type-checks the packages of the program and collects the possible changes of the
// files and kinds that match.
func load(in, kinds *regexp.Regexp) (*program, error) {
	g, err := newGraph()
	if err != nil {
		return nil, err
	}
	deps, err := list("-deps", "-export", ".")
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	for _, n := range deps {
		exports[n.ImportPath] = n.Export
	}
	p := &program{graph: g, fset: token.NewFileSet(), edits: map[string][]edit{}}
	p.importer = importer.ForCompiler(p.fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
	p.root = g["dgplab"].Dir
	for _, n := range deps {
		if g[n.ImportPath] == nil {
			continue
		}
		k := &pack{path: n.ImportPath}
		for _, name := range n.GoFiles {
			f := &source{name: filepath.Join(n.Dir, name)}
			f.text, err = os.ReadFile(f.name)
			if err != nil {
				return nil, err
			}
			f.tree, err = parser.ParseFile(p.fset, f.name, f.text, parser.ParseComments)
			if err != nil {
				return nil, err
			}
			k.files = append(k.files, f)
		}
		k.info, err = p.check(k, nil, nil)
		if err != nil {
			return nil, err
		}
		for _, f := range k.files {
			if !ast.IsGenerated(f.tree) && in.MatchString(p.relative(f.name)) {
				p.collect(k, f)
			}
		}
	}
	for kind := range p.edits {
		if kinds.MatchString(kind) {
			p.kinds = append(p.kinds, kind)
		}
	}
	slices.Sort(p.kinds)
	if len(p.kinds) == 0 {
		return nil, errors.New("no possible changes found")
	}
	return p, nil
}

// relative returns the name of a file relative to the root of the module.
func (p *program) relative(file string) string {
	name, err := filepath.Rel(p.root, file)
	if err != nil {
		return file
	}
	return filepath.ToSlash(name)
}

// check type-checks a package with the file old replaced by changed, and with added files.
func (p *program) check(k *pack, old *source, changed *ast.File, trees ...*ast.File) (*types.Info, error) {
	for _, f := range k.files {
		if f == old {
			trees = append(trees, changed)
			continue
		}
		trees = append(trees, f.tree)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: p.importer, Sizes: types.SizesFor("gc", "amd64")}
	_, err := config.Check(k.path, p.fset, trees, info)
	return info, err
}

// draw returns a random mutant that compiles. All kinds of changes have equal probability.
func (p *program) draw(random *rand.Rand) (*mutant, error) {
	for range 10000 {
		list := p.edits[p.kinds[random.IntN(len(p.kinds))]]
		e := list[random.IntN(len(list))]
		text := slices.Concat(e.file.text[:e.start], []byte(e.new), e.file.text[e.end:])
		tree, err := parser.ParseFile(p.fset, e.file.name, text, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		if _, err := p.check(e.pack, e.file, tree); err != nil {
			continue
		}
		return &mutant{edit: e, text: text, change: p.describe(e)}, nil
	}
	return nil, errors.New("no drawn change compiles")
}

// describe returns the position of a change, its old and new text, and the surrounding line.
func (p *program) describe(e edit) string {
	text := string(e.file.text)
	place := fmt.Sprintf("%s:%d: ", p.relative(e.file.name), 1+strings.Count(text[:e.start], "\n"))
	old := text[e.start:e.end]
	if e.new == "" {
		return place + squeeze(old) + " dropped"
	}
	from := strings.LastIndexByte(text[:e.start], '\n') + 1
	to := e.end + strings.IndexByte(text[e.end:], '\n')
	return fmt.Sprintf("%s%s -> %s in: %s", place, squeeze(old), squeeze(e.new), squeeze(text[from:to]))
}

// squeeze returns code as one line of limited length.
func squeeze(code string) string {
	const most = 160
	code = strings.Join(strings.Fields(code), " ")
	if len(code) > most {
		code = code[:most] + "..."
	}
	return code
}
