package kit

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/tui/report"
)

// Picker lists the recent files and the entries of a folder, from which the user picks a file. While it is
// open, it handles every key. The zero Picker is closed.
type Picker struct {
	open    bool
	dir     string // absolute, "" before the first reading
	recent  []string
	all     []FolderEntry // all entries of the folder
	err     error         // error of reading the folder
	gen     int           // generation of the current reading
	reading bool          // set while the folder is being read
	filter  Line
	at      int
	list    List
	after   string // the entry to select after reading
}

// folderReadMsg is the content of a folder.
type folderReadMsg struct {
	picker *Picker
	gen    int
	dir    string
	list   []FolderEntry
	err    error
}

// pickerRow is a row of the picker: a recent file or an entry of the folder.
type pickerRow struct {
	path  string // path of a recent file, or "" for an entry
	entry FolderEntry
}

// parentFolder is the entry that leads to the parent folder.
const parentFolder = ".."

// Open opens the picker at the folder of a path, with the recent files above its entries.
func (p *Picker) Open(path string, recent []string) tea.Cmd {
	*p = Picker{open: true, gen: p.gen, recent: slices.Clone(recent), filter: NewSearch()}
	dir, name := filepath.Split(ExpandPath(path))
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
		msg := folderReadMsg{picker: p, gen: gen}
		msg.dir, msg.err = filepath.Abs(dir)
		if msg.err == nil {
			msg.list, msg.err = folderEntries(msg.dir, false)
		}
		return msg
	}
}

// Update handles the content of a folder and reports whether the message is for this picker.
func (p *Picker) Update(msg tea.Msg) bool {
	m, ok := msg.(folderReadMsg)
	if !ok || m.picker != p || m.gen != p.gen {
		return false
	}
	p.dir = m.dir
	p.all = m.list
	p.err = m.err
	p.reading = false
	p.filter = NewSearch()
	if filepath.Dir(p.dir) != p.dir {
		p.all = append([]FolderEntry{{Name: parentFolder, Dir: true}}, p.all...)
	}
	p.at = max(slices.IndexFunc(p.rows(), func(r pickerRow) bool {
		return r.path == "" && r.entry.Name == p.after && p.after != ""
	}), 0)
	return true
}

// rows returns the recent files and the entries that contain the typed text.
func (p *Picker) rows() []pickerRow {
	var list []pickerRow
	word := strings.ToLower(p.filter.Value())
	for _, path := range p.recent {
		if strings.Contains(strings.ToLower(filepath.Base(path)), word) {
			list = append(list, pickerRow{path: path})
		}
	}
	for _, e := range p.all {
		if strings.Contains(strings.ToLower(e.Name), word) {
			list = append(list, pickerRow{entry: e})
		}
	}
	return list
}

// Key handles a key. If the user picks a file, it returns the path and closes the picker.
func (p *Picker) Key(msg tea.KeyMsg) (picked string, cmd tea.Cmd) {
	rows := p.rows()
	switch act := Lookup(pickerBindings, msg); act {
	case ActBack:
		if p.filter.Value() == "" {
			p.Close()
			return "", nil
		}
		p.filter = NewSearch()
		p.at = 0
	case actPick:
		if p.at < len(rows) {
			return p.choose(rows[p.at])
		}
	case actUp:
		if p.filter.Value() == "" {
			return "", p.enter(parentFolder)
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
func (p *Picker) choose(r pickerRow) (picked string, cmd tea.Cmd) {
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
	if name == parentFolder {
		p.after = filepath.Base(p.dir)
	}
	return p.read(filepath.Join(p.dir, name))
}

// Click selects the clicked row, or picks it if it is already selected.
func (p *Picker) Click(line int) (picked string, cmd tea.Cmd) {
	rows := p.rows()
	i := p.list.Top() + line - pickerHeadLines
	if line < pickerHeadLines || i >= len(rows) || i < 0 {
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

// Actions that only the picker has.
const (
	actPick Action = "pick"
	actUp   Action = "folder_above"
)

var pickerBindings = []Binding{
	Bind(Steer, actPick, "enter", "open", "Pick the file or open the folder.", "enter", "right", "tab"),
	Bind(Look, ActBack, "esc", "close", "Clear the search, then close.", "esc"),
	Bind(Look, ActDown, "<up><down>", "select", "Select the next row.", "down"),
	Bind(Look, ActUp, "<up>", "", "Select the previous row.", "up"),
	Bind(Look, actUp, "<left>", "parent folder",
		"Open the parent folder; while searching, erase.", "left", "backspace"),
	Bind(Look, ActPageUp, "pgup", "", "Page up.", "pgup"),
	Bind(Look, ActPageDown, "pgdown", "", "Page down.", "pgdown"),
	Bind(Look, ActFirst, "home", "", "Go to the first row.", "home"),
	Bind(Look, ActLast, "end", "", "Go to the last row.", "end"),
}

// PickerBindings returns the keys of the picker.
func PickerBindings() []Binding { return pickerBindings }

// PickerHint returns the footer while the picker is open.
func PickerHint(th *Theme, w int) string {
	letters := Bind("", "", "a-z", "find", "", "")
	return th.KeyLine(append([]Binding{letters}, pickerBindings...), w)
}

// pickerHeadLines is the number of lines above the list.
const pickerHeadLines = 1

// Lines draws the picker in w x h cells: the folder or the typed text, and the list.
func (p *Picker) Lines(th *Theme, w, h int) []string {
	if w <= 0 || h <= 0 {
		return nil
	}
	head := th.Dim.Render(ShortPath(p.dir))
	switch {
	case p.filter.Value() != "":
		head = th.Accent.Render("find ") + th.LineView(&p.filter, "", max(w-5, 1))
	case p.err != nil:
		head = th.Bad.Render(th.Glyphs.Cross + " " + p.err.Error())
	case p.dir == "":
		head = th.Dim.Render("reading" + th.Glyphs.Ellipsis)
	}
	rows := p.rows()
	lines := p.list.Window(len(rows), p.at, w, h-pickerHeadLines, func(i int) string {
		return p.line(th, rows[i], i == p.at, w)
	})
	if len(rows) == 0 && len(lines) > 0 {
		lines[0] = th.Fit(th.Dim.Render("  no match"), w)
	}
	return append([]string{th.Fit(head, w)}, lines...)
}

// line draws a row.
func (p *Picker) line(th *Theme, r pickerRow, chosen bool, w int) string {
	mark, style := th.RowMark(chosen, true)
	switch {
	case r.path != "":
		return th.Sides(mark+style.Render(ShortPath(r.path)), th.Dim.Render("recent"), w)
	case r.entry.Dir:
		return th.Fit(mark+style.Render(r.entry.Name+string(filepath.Separator)), w)
	}
	return th.Sides(mark+style.Render(r.entry.Name), th.Dim.Render(report.Bytes(r.entry.Size)), w)
}
