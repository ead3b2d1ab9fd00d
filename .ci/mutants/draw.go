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

// A program is the code that is changed.
type program struct {
	graph    graph
	root     string // of the module
	fset     *token.FileSet
	importer types.Importer
	edits    map[string][]edit // by the kind of the change
	changed  map[string]bool   // the packages that these are in
	kinds    []string
}

// A pack is a package with its syntax.
type pack struct {
	path  string
	files []*source
	info  *types.Info
}

// A source is a file.
type source struct {
	name string
	text []byte
	tree *ast.File
}

// An edit is a change of a file: new stands where the bytes from start to end were.
type edit struct {
	pack       *pack
	file       *source
	start, end int
	new        string
}

// A mutant is a changed file.
type mutant struct {
	pkg, file string // the import path of the package and the name of the file
	text      []byte
	change    string
}

// String returns the place and the change.
func (m mutant) String() string { return m.change }

// load parses and checks the packages of the program, and collects the changes of its files.
func load(in *regexp.Regexp) (*program, error) {
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
	p := &program{
		graph: g, fset: token.NewFileSet(),
		edits: map[string][]edit{}, changed: map[string]bool{},
	}
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
			if f.text, err = os.ReadFile(f.name); err != nil {
				return nil, err
			}
			if f.tree, err = parser.ParseFile(p.fset, f.name, f.text, parser.ParseComments); err != nil {
				return nil, err
			}
			k.files = append(k.files, f)
		}
		if k.info, err = p.check(k, nil, nil); err != nil {
			return nil, err
		}
		for _, f := range k.files {
			if !ast.IsGenerated(f.tree) && in.MatchString(p.relative(f.name)) {
				p.changed[k.path] = true
				p.collect(k, f)
			}
		}
	}
	for kind := range p.edits {
		p.kinds = append(p.kinds, kind)
	}
	slices.Sort(p.kinds)
	if len(p.kinds) == 0 {
		return nil, errors.New("there is nothing to change")
	}
	return p, nil
}

// relative returns the name of a file within the module.
func (p *program) relative(file string) string {
	name, err := filepath.Rel(p.root, file)
	if err != nil {
		return file
	}
	return filepath.ToSlash(name)
}

// check returns the types of a package in which a file may be another one.
func (p *program) check(k *pack, old *source, changed *ast.File) (*types.Info, error) {
	var trees []*ast.File
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

// draw returns a random mutant that compiles: each kind of change is as likely as the others.
func (p *program) draw(random *rand.Rand) (mutant, error) {
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
		return mutant{e.pack.path, e.file.name, text, p.describe(e)}, nil
	}
	return mutant{}, errors.New("no change compiles")
}

// describe returns the place of a change, what it replaces, and the line around that.
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

// squeeze puts code on one line of a bearable length.
func squeeze(code string) string {
	const most = 160
	code = strings.Join(strings.Fields(code), " ")
	if len(code) > most {
		code = code[:most] + "..."
	}
	return code
}
