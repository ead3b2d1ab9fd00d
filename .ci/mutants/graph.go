package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// node is a package of the module.
type node struct {
	ImportPath, Dir                    string
	Export                             string // file of its export data
	Standard                           bool
	GoFiles, TestGoFiles, XTestGoFiles []string
	Imports, TestImports, XTestImports []string
	Module                             *struct{ Main bool }
	slow                               bool // -short skips some of its tests
}

// tested reports whether the package has tests.
func (n *node) tested() bool { return len(n.TestGoFiles)+len(n.XTestGoFiles) > 0 }

// list runs go list on packages.
func list(args ...string) ([]*node, error) {
	cmd := exec.Command("go", append([]string{"list", "-json"}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var nodes []*node
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		n := &node{}
		if err := d.Decode(n); err == io.EOF {
			return nodes, nil
		} else if err != nil {
			return nil, err
		}
		nodes = append(nodes, n)
	}
}

// graph holds the packages of the module by import path.
type graph map[string]*node

// runner is the package whose tests build and run the binary.
const runner = "dgplab/tui/cli"

// newGraph returns the packages of the module.
func newGraph() (graph, error) {
	nodes, err := list("./...")
	if err != nil {
		return nil, err
	}
	g := graph{}
	for _, n := range nodes {
		g[n.ImportPath] = n
		if n.ImportPath == runner {
			n.TestImports = append(n.TestImports, "dgplab")
		}
		for _, name := range slices.Concat(n.TestGoFiles, n.XTestGoFiles) {
			text, err := os.ReadFile(filepath.Join(n.Dir, name))
			if err != nil {
				return nil, err
			}
			n.slow = n.slow || bytes.Contains(text, []byte("testing.Short()"))
		}
	}
	return g, nil
}

// importers returns the packages that import a package directly, including in tests.
func (g graph) importers(path string) (out []string) {
	for _, other := range slices.Sorted(maps.Keys(g)) {
		n := g[other]
		if other != path && slices.Contains(slices.Concat(n.Imports, n.TestImports, n.XTestImports), path) {
			out = append(out, other)
		}
	}
	return out
}

// dependents returns the packages whose tests depend on a package, directly or through the binary.
func (g graph) dependents(path string) (out []string) {
	reached := map[string]bool{path: true}
	for more := true; more; {
		more = false
		for other, n := range g {
			if !reached[other] && slices.ContainsFunc(n.Imports, func(p string) bool { return reached[p] }) {
				reached[other], more = true, true
			}
		}
	}
	for _, other := range slices.Sorted(maps.Keys(g)) {
		roots := slices.Concat([]string{other}, g[other].TestImports, g[other].XTestImports)
		if slices.ContainsFunc(roots, func(p string) bool { return reached[p] }) {
			out = append(out, other)
		}
	}
	return out
}
