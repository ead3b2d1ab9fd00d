package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
)

// others maps each operator to its replacements.
var others = map[token.Token][]token.Token{
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL},
	token.REM: {token.QUO}, token.AND: {token.OR}, token.OR: {token.AND}, token.XOR: {token.AND},
	token.SHL: {token.SHR}, token.SHR: {token.SHL}, token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.ADD_ASSIGN: {token.SUB_ASSIGN, token.ASSIGN}, token.SUB_ASSIGN: {token.ADD_ASSIGN, token.ASSIGN},
	token.MUL_ASSIGN: {token.QUO_ASSIGN, token.ASSIGN}, token.QUO_ASSIGN: {token.MUL_ASSIGN, token.ASSIGN},
	token.INC: {token.DEC}, token.DEC: {token.INC},
}

// negated maps each comparison to its negation.
var negated = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ, token.GEQ: token.LSS,
	token.GTR: token.LEQ, token.LEQ: token.GTR,
}

// shifted maps each ordering operator to the operator that differs only for equal operands.
var shifted = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
}

// collector collects the possible changes of a file.
type collector struct {
	*program
	pack *pack
	file *source
}

// collect adds the changes of a file.
func (p *program) collect(k *pack, f *source) {
	c := collector{p, k, f}
	for _, d := range f.tree.Decls {
		ast.Inspect(d, c.visit)
	}
}

// visit adds the changes of a node and reports whether to visit its children.
func (c collector) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec, *ast.TypeSpec:
		return false
	case *ast.CallExpr:
		return c.call(n)
	case *ast.FuncDecl:
		c.errors(n.Type, n.Body)
	case *ast.FuncLit:
		c.errors(n.Type, n.Body)
	case *ast.BinaryExpr:
		c.binary(n)
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			c.add("condition", n.OpPos, n.OpPos+1, "")
		}
	case *ast.AssignStmt:
		c.operator(n.TokPos, n.Tok)
	case *ast.IncDecStmt:
		c.operator(n.TokPos, n.Tok)
	case *ast.BasicLit:
		c.literal(n)
	case *ast.Ident:
		c.truth(n)
	case *ast.IndexExpr:
		c.index(n)
	case *ast.SliceExpr:
		c.shift(n.Low)
		c.shift(n.High)
	case *ast.IfStmt:
		if guards(n) {
			return false
		}
		c.fix(n.Cond, " && false")
		c.fix(n.Cond, " || true")
	case *ast.ForStmt:
		c.fix(n.Cond, " && false")
	case *ast.BlockStmt:
		c.statements(n.List)
	case *ast.CaseClause:
		c.statements(n.Body)
	case *ast.CommClause:
		c.statements(n.Body)
	}
	return true
}

// add records a change of the text between two positions.
func (c collector) add(kind string, from, to token.Pos, text string) {
	e := edit{c.pack, c.file, c.fset.Position(from).Offset, c.fset.Position(to).Offset, text}
	c.edits[kind] = append(c.edits[kind], e)
}

// call reports whether to visit the children of a call. It skips panic messages and capacities, numbers
// of processors, durations of waiting and sizes of buffers, which affect only the speed, and the
// argument of math.Inf(1), for which 0 and 2 mean the same.
func (c collector) call(n *ast.CallExpr) bool {
	switch called(n) {
	case "panic", "Grow", "GOMAXPROCS", "Sleep", "NewReaderSize", "NewWriterSize":
		return false
	case "Inf":
		_, positive := n.Args[0].(*ast.BasicLit)
		return !positive
	}
	if !c.pack.info.Types[n.Fun].IsBuiltin() || called(n) != "make" {
		return true
	}
	if _, ok := c.pack.info.Types[n.Args[0]].Type.Underlying().(*types.Slice); ok && len(n.Args) > 1 {
		ast.Inspect(n.Args[1], c.visit)
	}
	return false
}

// called returns the name of the called function or method, without its package or receiver.
func called(n *ast.CallExpr) string {
	switch f := ast.Unparen(n.Fun).(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// guards reports whether an if statement does nothing except panic.
func guards(n *ast.IfStmt) bool {
	if n.Else != nil || len(n.Body.List) != 1 {
		return false
	}
	s, ok := n.Body.List[0].(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := s.X.(*ast.CallExpr)
	return ok && called(call) == "panic"
}

// binary adds replacements of a binary operator.
func (c collector) binary(n *ast.BinaryExpr) {
	c.operator(n.OpPos, n.Op)
	end := n.OpPos + token.Pos(len(n.Op.String()))
	if op, ok := negated[n.Op]; ok {
		c.add("comparison", n.OpPos, end, op.String())
	}
	if op, ok := shifted[n.Op]; ok && !c.is(n.X, types.IsFloat) && !c.is(n.Y, types.IsFloat) {
		c.add("comparison", n.OpPos, end, op.String())
	}
}

// is reports whether an expression has a basic type with the given property.
func (c collector) is(x ast.Expr, property types.BasicInfo) bool {
	t := c.pack.info.Types[x].Type
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&property != 0
}

// operator adds the replacements of an operator.
func (c collector) operator(at token.Pos, op token.Token) {
	for _, other := range others[op] {
		c.add("operator", at, at+token.Pos(len(op.String())), other.String())
	}
}

// literal adds the neighbours of an integer literal, and half and twice a float literal.
func (c collector) literal(n *ast.BasicLit) {
	switch n.Kind {
	case token.INT:
		v, err := strconv.Atoi(n.Value)
		if err != nil {
			return // hexadecimal: flags and seeds
		}
		c.add("constant", n.Pos(), n.End(), strconv.Itoa(v+1))
		if v > 0 {
			c.add("constant", n.Pos(), n.End(), strconv.Itoa(v-1))
		}
	case token.FLOAT:
		if v, err := strconv.ParseFloat(n.Value, 64); err != nil || v == 0 {
			return // Half and twice zero are zero.
		}
		c.add("constant", n.Pos(), n.End(), "("+n.Value+" * 2)")
		c.add("constant", n.Pos(), n.End(), "("+n.Value+" / 2)")
	}
}

// truth replaces true by false and false by true.
func (c collector) truth(n *ast.Ident) {
	if c.pack.info.Uses[n] == types.Universe.Lookup("true") {
		c.add("constant", n.Pos(), n.End(), "false")
	}
	if c.pack.info.Uses[n] == types.Universe.Lookup("false") {
		c.add("constant", n.Pos(), n.End(), "true")
	}
}

// index adds the neighbours of a slice index.
func (c collector) index(n *ast.IndexExpr) {
	if t := c.pack.info.Types[n.X]; t.Type != nil && t.IsValue() {
		if _, ok := t.Type.Underlying().(*types.Map); !ok {
			c.shift(n.Index)
		}
	}
}

// shift adds the neighbours of an index expression, which may be nil.
func (c collector) shift(x ast.Expr) {
	if x == nil {
		return
	}
	at := string(c.file.text[c.fset.Position(x.Pos()).Offset:c.fset.Position(x.End()).Offset])
	c.add("index", x.Pos(), x.End(), "("+at+")+1")
	c.add("index", x.Pos(), x.End(), "("+at+")-1")
}

// fix makes a condition constant by appending how, an operator and a constant. The condition may be
// nil.
func (c collector) fix(x ast.Expr, how string) {
	if x == nil {
		return
	}
	text := string(c.file.text[c.fset.Position(x.Pos()).Offset:c.fset.Position(x.End()).Offset])
	c.add("condition", x.Pos(), x.End(), "("+text+")"+how)
}

// statements adds removals of single statements.
func (c collector) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); ok && (called(call) == "panic" || c.idle(call)) {
				continue
			}
		case *ast.DeferStmt:
			if c.idle(s.Call) {
				continue
			}
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				continue
			}
		case *ast.IncDecStmt, *ast.SendStmt, *ast.BranchStmt:
		default:
			continue
		}
		c.add("statement", s.Pos(), s.End(), "")
	}
}

// idle reports whether the removal of a call has no observable effect.
func (c collector) idle(call *ast.CallExpr) bool {
	switch called(call) {
	case "Close", "Grow":
		return true
	}
	s, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := s.X.(*ast.Ident)
	return ok && x.Name == "runtime"
}

// errors adds replacements of the errors that a function returns by nil.
func (c collector) errors(f *ast.FuncType, body *ast.BlockStmt) {
	if f.Results == nil || body == nil {
		return
	}
	last := f.Results.List[len(f.Results.List)-1]
	if name, ok := last.Type.(*ast.Ident); !ok || name.Name != "error" {
		return
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		r, ok := n.(*ast.ReturnStmt)
		if !ok || len(r.Results) != f.Results.NumFields() {
			return true
		}
		x := r.Results[len(r.Results)-1]
		if call, ok := x.(*ast.CallExpr); ok && called(call) == "Close" {
			return true
		}
		if name, ok := x.(*ast.Ident); !ok || name.Name != "nil" {
			c.add("error", x.Pos(), x.End(), "nil")
		}
		return true
	})
}
