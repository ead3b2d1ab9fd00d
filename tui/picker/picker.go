package picker

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/tui/kit"
)

// Picker is a list of the recent files and the entries of a folder, from which the user picks a
// file. It handles every key while it is open. The zero Picker is closed.
type Picker struct {
	open    bool
	dir     string // absolute, "" before the first reading
	recent  []string
	all     []Entry // of the folder
	err     error   // error of reading the folder
	gen     int     // of the current reading
	reading bool    // set while the folder is being read
	filter  kit.Line
	at      int
	list    kit.List
	after   string // the entry to select after reading
}

// readMsg is the content of a folder.
type readMsg struct {
	picker *Picker
	gen    int
	dir    string
	list   []Entry
	err    error
}

// row is a row of the picker: a recent file or an entry of the folder.
type row struct {
	path  string // of a recent file, "" for an entry
	entry Entry
}

// parent is the entry that leads to the parent folder.
const parent = ".."

// Open opens the picker at the folder of a path, with the recent files above its entries.
func (p *Picker) Open(path string, recent []string) tea.Cmd {
	*p = Picker{open: true, gen: p.gen, recent: slices.Clone(recent), filter: kit.NewLine("")}
	dir, name := filepath.Split(Expand(path))
	p.after = name
	return p.read(dir)
}

// IsOpen reports whether the picker is open.
func (p *Picker) IsOpen() bool { return p.open }

// Close closes the picker.
func (p *Picker) Close() { p.open = false }

// read reads a folder in the background.
func (p *Picker) read(dir string) tea.Cmd {
	p.gen++
	p.reading = true
	gen := p.gen
	return func() tea.Msg {
		msg := readMsg{picker: p, gen: gen}
		msg.dir, msg.err = filepath.Abs(dir)
		if msg.err == nil {
			msg.list, msg.err = entries(msg.dir, false)
		}
		return msg
	}
}

// Update handles the content of a folder, and reports whether the message was for this picker.
func (p *Picker) Update(msg tea.Msg) bool {
	m, ok := msg.(readMsg)
	if !ok || m.picker != p || m.gen != p.gen {
		return false
	}
	p.dir = m.dir
	p.all = m.list
	p.err = m.err
	p.reading = false
	p.filter = kit.NewLine("")
	if filepath.Dir(p.dir) != p.dir {
		p.all = append([]Entry{{Name: parent, Dir: true}}, p.all...)
	}
	p.at = max(slices.IndexFunc(p.rows(), func(r row) bool {
		return r.path == "" && r.entry.Name == p.after && p.after != ""
	}), 0)
	return true
}

// rows returns the recent files and the entries that contain the typed text.
func (p *Picker) rows() []row {
	var list []row
	word := strings.ToLower(p.filter.Value())
	for _, path := range p.recent {
		if strings.Contains(strings.ToLower(filepath.Base(path)), word) {
			list = append(list, row{path: path})
		}
	}
	for _, e := range p.all {
		if strings.Contains(strings.ToLower(e.Name), word) {
			list = append(list, row{entry: e})
		}
	}
	return list
}

// Key handles a key. If a file was picked, it returns the path and closes the picker.
func (p *Picker) Key(msg tea.KeyMsg) (picked string, cmd tea.Cmd) {
	rows := p.rows()
	switch act := kit.Lookup(bindings, msg); act {
	case kit.ActBack:
		if p.filter.Value() == "" {
			p.Close()
			return "", nil
		}
		p.filter = kit.NewLine("")
		p.at = 0
	case actPick:
		if p.at < len(rows) {
			return p.choose(rows[p.at])
		}
	case actUp:
		if p.filter.Value() == "" {
			return "", p.enter(parent)
		}
		p.filter.Edit(msg)
		p.at = 0
	case "":
		if p.filter.Type(msg, unicode.IsPrint) {
			p.at = 0
		}
	default:
		p.at = act.Moved(p.at, len(rows), p.list.Height())
	}
	return "", nil
}

// choose picks the file of a row, or opens its folder.
func (p *Picker) choose(r row) (picked string, cmd tea.Cmd) {
	switch {
	case r.path != "":
		picked = r.path
	case r.entry.Dir:
		return "", p.enter(r.entry.Name)
	default:
		picked = filepath.Join(p.dir, r.entry.Name)
	}
	p.Close()
	return picked, nil
}

// enter opens a subfolder or the parent folder.
func (p *Picker) enter(name string) tea.Cmd {
	p.after = ""
	if name == parent {
		p.after = filepath.Base(p.dir)
	}
	return p.read(filepath.Join(p.dir, name))
}

// Click selects the clicked row, or picks it if it is already selected.
func (p *Picker) Click(line int) (picked string, cmd tea.Cmd) {
	rows := p.rows()
	i := p.list.Top() + line - headLines
	if line < headLines || i >= len(rows) || i < 0 {
		return "", nil
	}
	if i != p.at {
		p.at = i
		return "", nil
	}
	return p.choose(rows[i])
}

// Scroll moves the window by n rows.
func (p *Picker) Scroll(n int) { p.list.Scroll(n) }
