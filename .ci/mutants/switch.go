package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

// One build of the tests contains all mutants. For a mutant in a function, the build contains a
// copy of the function with the change, and the function calls the copy if the environment selects
// the mutant. Mutants in the values of package variables are switched in the same way.

// switchNumber and switchTrace are environment variables. switchNumber selects a mutant by its
// number. switchTrace names the file to which the program appends the numbers of the mutants that
// it reaches.
const switchNumber, switchTrace = "DGPLAB_MUTANT", "DGPLAB_MUTANT_TRACE"

// switchText is the text of the file that is added to each package with switched mutants.
const switchText = `package %s

import (
	"os"
	"strconv"
	"sync/atomic"
)

var mutantOn = func() int {
	number, err := strconv.Atoi(os.Getenv("%s"))
	if err != nil {
		return -1
	}
	return number
}()

var mutantTrace = os.Getenv("%s")

var mutantSeen [%d]atomic.Bool

func mutantReached(number int) {
	if mutantTrace == "" || mutantSeen[number].Swap(true) {
		return
	}
	file, err := os.OpenFile(mutantTrace, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	file.WriteString(strconv.Itoa(number) + "\n")
	file.Close()
}
`

// switches returns the texts of the files with switched mutants, by file name. It marks the mutants
// that can be switched.
func (p *program) switches(mutants []*mutant) (map[string]string, error) {
	texts := map[string]string{}
	byFile := map[*source][]*mutant{}
	for _, m := range mutants {
		k := m.edit.pack
		added := fmt.Sprintf(switchText, k.files[0].tree.Name.Name, switchNumber, switchTrace, len(mutants))
		addedTree, err := parser.ParseFile(p.fset, "", added, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		text, ok := p.switched(m.edit.file, []*mutant{m})
		if !ok {
			continue
		}
		tree, err := parser.ParseFile(p.fset, m.edit.file.name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.change, err)
		}
		if _, err := p.check(k, m.edit.file, tree, addedTree); err != nil {
			continue // for example, the file does not import the package of a type
		}
		m.switched = true
		byFile[m.edit.file] = append(byFile[m.edit.file], m)
		texts[filepath.Join(filepath.Dir(m.edit.file.name), "mutant_switch.go")] = added
	}
	for f, list := range byFile {
		texts[f.name], _ = p.switched(f, list)
	}
	return texts, nil
}

// switcher collects the insertions into a file that switch its mutants.
type switcher struct {
	*program
	file       *source
	insertions []insertion
	copies     strings.Builder // appended to the file
	named      map[*ast.FuncDecl]bool
}

// insertion is a text to insert at a position of a file.
type insertion struct {
	at   int
	text string
}

// switched returns the text of a file that switches mutants and reports whether all can be switched.
func (p *program) switched(f *source, mutants []*mutant) (string, bool) {
	s := &switcher{program: p, file: f, named: map[*ast.FuncDecl]bool{}}
	for _, m := range mutants {
		at := slices.IndexFunc(f.tree.Decls, func(d ast.Decl) bool { return s.contains(d, m.edit.start) })
		switch d := f.tree.Decls[at].(type) {
		case *ast.FuncDecl:
			if !s.function(d, m) {
				return "", false
			}
		case *ast.GenDecl:
			if !s.variable(d, m) {
				return "", false
			}
		}
	}
	slices.SortStableFunc(s.insertions, func(a, b insertion) int { return a.at - b.at })
	var text strings.Builder
	from := 0
	for _, i := range s.insertions {
		text.Write(f.text[from:i.at])
		text.WriteString(i.text)
		from = i.at
	}
	text.Write(f.text[from:])
	text.WriteString(s.copies.String())
	return text.String(), true
}

// offset returns the offset of a position in the file.
func (s *switcher) offset(pos token.Pos) int { return s.fset.Position(pos).Offset }

// contains reports whether a node contains a position of the file.
func (s *switcher) contains(n ast.Node, at int) bool {
	return s.offset(n.Pos()) <= at && at < s.offset(n.End())
}

// insert inserts a text before a position.
func (s *switcher) insert(pos token.Pos, format string, args ...any) {
	s.insertions = append(s.insertions, insertion{s.offset(pos), fmt.Sprintf(format, args...)})
}

// changed returns the text between two positions, including the change of a mutant.
func (s *switcher) changed(from, to token.Pos, m *mutant) string {
	text := s.file.text
	return string(text[s.offset(from):m.edit.start]) + m.edit.new + string(text[m.edit.end:s.offset(to)])
}

// function switches a mutant in a function and reports whether this is possible.
func (s *switcher) function(d *ast.FuncDecl, m *mutant) bool {
	if d.Body == nil || m.edit.start <= s.offset(d.Body.Lbrace) || recovers(d.Body) {
		return false
	}
	name := fmt.Sprintf("%s_mutant%d", d.Name.Name, m.number)
	head := string(s.file.text[s.offset(d.Type.Func):s.offset(d.Name.Pos())])
	fmt.Fprintf(&s.copies, "\n%s%s%s\n", head, name, s.changed(d.Name.End(), d.End(), m))
	first := !s.named[d]
	s.named[d] = true
	call := name
	if d.Recv != nil {
		call = s.names(d.Recv, "mutantSelf", first)[0] + "." + name
	}
	if d.Type.TypeParams != nil {
		call += "[" + strings.Join(s.names(d.Type.TypeParams, "", false), ", ") + "]"
	}
	call += "(" + strings.Join(s.names(d.Type.Params, "mutantArgument", first), ", ") + ")"
	if d.Type.Results == nil {
		s.insert(d.Body.Lbrace+1, " if mutantOn == %d { %s; return };", m.number, call)
	} else {
		s.insert(d.Body.Lbrace+1, " if mutantOn == %d { return %s };", m.number, call)
	}
	s.insert(s.statement(d.Body, m.edit.start), "mutantReached(%d); ", m.number)
	return true
}

// recovers reports whether a function calls recover, which would have no effect in a copy.
func recovers(body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			found = found || called(n) == "recover"
		}
		return true
	})
	return found
}

// names returns the names of parameters, followed by "..." if the function is variadic. Unnamed
// parameters receive names that start with prefix; if insert is true, these are inserted into the
// file.
func (s *switcher) names(list *ast.FieldList, prefix string, insert bool) (out []string) {
	for _, field := range list.List {
		dots := ""
		if _, ok := field.Type.(*ast.Ellipsis); ok {
			dots = "..."
		}
		if len(field.Names) == 0 {
			name := fmt.Sprint(prefix, len(out))
			if insert {
				s.insert(field.Type.Pos(), "%s ", name)
			}
			out = append(out, name+dots)
		}
		for _, n := range field.Names {
			name := n.Name
			if name == "_" {
				name = fmt.Sprint(prefix, len(out), "_")
				if insert {
					s.insert(n.Pos(), "%s", strings.TrimSuffix(name, "_"))
				}
			}
			out = append(out, name+dots)
		}
	}
	return out
}

// statement returns the position of the innermost statement that contains a position and can be
// preceded by an inserted statement.
func (s *switcher) statement(body *ast.BlockStmt, at int) (pos token.Pos) {
	ast.Inspect(body, func(n ast.Node) bool {
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		case *ast.CommClause:
			list = n.Body
		}
		for _, stmt := range list {
			switch stmt.(type) {
			case *ast.CaseClause, *ast.CommClause:
				continue
			}
			if s.contains(stmt, at) {
				pos = stmt.Pos()
			}
		}
		return true
	})
	return pos
}

// variable switches a mutant in the value of a package variable and reports whether this is
// possible. The value is always computed, so the mutant counts as reached by all tests.
func (s *switcher) variable(d *ast.GenDecl, m *mutant) bool {
	if d.Tok != token.VAR {
		return false
	}
	for _, spec := range d.Specs {
		spec := spec.(*ast.ValueSpec)
		at := slices.IndexFunc(spec.Values, func(v ast.Expr) bool { return s.contains(v, m.edit.start) })
		if at < 0 || len(spec.Values) != len(spec.Names) {
			continue
		}
		v := spec.Values[at]
		kind := ""
		if spec.Type != nil {
			kind = string(s.file.text[s.offset(spec.Type.Pos()):s.offset(spec.Type.End())])
		} else {
			kind = types.TypeString(m.edit.pack.info.Types[v].Type, s.qualifier)
		}
		s.insert(v.Pos(), "func() %s { if mutantOn == %d { return mutantValue%d() }; return ",
			kind, m.number, m.number)
		s.insert(v.End(), " }()")
		text := s.changed(v.Pos(), v.End(), m)
		fmt.Fprintf(&s.copies, "\nfunc mutantValue%d() %s { return %s }\n", m.number, kind, text)
		m.always = true
		return true
	}
	return false
}

// qualifier returns the name of a package in the file.
func (s *switcher) qualifier(other *types.Package) string {
	for _, i := range s.file.tree.Imports {
		if strings.Trim(i.Path.Value, `"`) == other.Path() && i.Name != nil {
			return i.Name.Name
		}
	}
	if other.Name() == s.file.tree.Name.Name {
		return ""
	}
	return other.Name()
}
