package sweep

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"dgplab/datasets/files"
	"dgplab/session/config"
	"dgplab/session/rundir"
	"dgplab/session/slurm"
)

const (
	// listsName is the folder of the lists of cells, below the folder of a sweep.
	listsName = "lists"
	// listFileName holds the cells of a list, one per line.
	listFileName = "cells.jsonl"
	// scriptName is the script of the jobs of a list, and logsName the folder of their logs.
	scriptName = "job.sh"
	logsName   = "logs"
	// submissionFileName is the file of a submission.
	submissionFileName = "submission.json"
	// maxLine is the maximum length of a line in a list.
	maxLine = 1 << 20
)

// ListedCell is a cell in a list.
type ListedCell struct {
	Cell
	// Run is the ID of the run that the cell had when the list was written, or "".
	Run string `json:"run,omitempty"`
	// Retry is set if that run has failed and is to be trained again.
	Retry bool `json:"retry,omitempty"`
}

// Submission is a list of cells that was submitted to Slurm.
type Submission struct {
	Format int `json:"format"`
	// List is the name of the list, which is also that of its folder.
	List    string        `json:"list"`
	Created time.Time     `json:"created"`
	Cells   int           `json:"cells"`
	Options slurm.Options `json:"options"`
	// AllowMemory lets tasks train runs that are estimated not to fit in memory.
	AllowMemory bool `json:"allow_memory,omitempty"`
	// Job is the ID of the job array, and Tasks the number of its tasks.
	Job   string `json:"job"`
	Tasks int    `json:"tasks"`
	// Dir is the folder of the list.
	Dir string `json:"-"`
}

// JobName returns the name of the jobs of a sweep.
func JobName(sweep string) string { return "dgplab-" + sweep }

// Submissions returns the submissions of a sweep, oldest first.
func Submissions(name string) ([]Submission, error) {
	dir, err := folderOf(name)
	if err != nil {
		return nil, err
	}
	names, err := listNames(dir)
	if err != nil {
		return nil, err
	}
	var list []Submission
	for _, name := range names {
		s := Submission{Dir: filepath.Join(dir, listsName, name)}
		err := rundir.ReadJSON(filepath.Join(s.Dir, submissionFileName), &s)
		if errors.Is(err, fs.ErrNotExist) {
			continue // The list was not submitted, or its process died before.
		}
		if err != nil {
			return nil, err
		}
		if s.Format != fileVersion {
			return nil, fmt.Errorf("%s: unsupported format %d", s.Dir, s.Format)
		}
		list = append(list, s)
	}
	return list, nil
}

// listNames returns the names of the lists of a sweep in order.
func listNames(dir string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(dir, listsName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() && CheckName(e.Name()) == nil {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}

// readList reads the cells of a list.
func readList(dir string) ([]ListedCell, error) {
	path := filepath.Join(dir, listFileName)
	file, err := files.Open(files.OS, path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var cells []ListedCell
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		var c ListedCell
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", path, len(cells)+1, files.Brief(err))
		}
		cells = append(cells, c)
	}
	return cells, lines.Err()
}

// submittedCells returns the cells of all lists of a sweep, each once.
func submittedCells(dir string) ([]Cell, error) {
	names, err := listNames(dir)
	if err != nil {
		return nil, err
	}
	var cells []Cell
	known := map[string]bool{}
	for _, name := range names {
		list, err := readList(filepath.Join(dir, listsName, name))
		if err != nil {
			return nil, err
		}
		for _, c := range list {
			if !known[c.Key] {
				known[c.Key] = true
				cells = append(cells, Cell{c.Key, c.Config, settingOf(c.Config)})
			}
		}
	}
	return cells, nil
}

// writeList writes a list of cells.
func writeList(dir files.Dir, cells []ListedCell) error {
	return files.Replace(dir, listFileName, func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		for _, c := range cells {
			if err := encoder.Encode(c); err != nil {
				return err
			}
		}
		return nil
	})
}

// Plan is a submission before it is made.
type Plan struct {
	Submission
	// Script is the text of the job script, and Path its path.
	Script, Path string

	state *State
	cells []ListedCell
}

// NewPlan plans the submission of some cells of a sweep. The sweep need not exist. Missing options follow
// from the estimate of the cells. If allowMemory is set, tasks train runs that are estimated not to fit in
// memory. NewPlan asks Slurm for the size of arrays and writes nothing.
func NewPlan(
	ctx context.Context, s *State, cells []Cell, e Estimate, o slurm.Options, allowMemory bool,
) (*Plan, error) {
	if s.Grid.Halving > 0 {
		return nil, errHalving
	}
	if err := o.Check(); err != nil {
		return nil, err
	}
	o, err := estimated(o, e, allowMemory)
	if err != nil {
		return nil, err
	}
	limit, err := slurm.ArrayLimit(ctx)
	if err != nil {
		return nil, err
	}
	p := &Plan{state: s}
	p.cells, err = listed(s, cells)
	if err != nil {
		return nil, err
	}
	p.List, err = s.nextList()
	if err != nil {
		return nil, err
	}
	p.Format, p.Cells, p.Options, p.AllowMemory = fileVersion, len(cells), o, allowMemory
	p.Tasks = min((len(cells)+o.Pack-1)/o.Pack, o.Parallel, limit)
	p.Dir = filepath.Join(s.Dir, listsName, p.List)
	p.Path = filepath.Join(p.Dir, scriptName)
	p.Script, err = p.script()
	return p, err
}

// nextList returns the name of the next list of a sweep.
func (s *State) nextList() (string, error) {
	names, err := listNames(s.Dir)
	return fmt.Sprintf("%03d", len(names)+1), err
}

// listed returns the cells with their runs. A cell that takes its initial parameters from a family
// cannot be listed before the run of that family is done, because tasks run in any order.
func listed(s *State, cells []Cell) ([]ListedCell, error) {
	states := make(map[string]*CellState, len(s.Cells))
	for i := range s.Cells {
		states[s.Cells[i].Key] = &s.Cells[i]
	}
	list := make([]ListedCell, len(cells))
	for i, c := range cells {
		state := states[c.Key]
		if family := c.Config.Set[rundir.WarmStartSetting]; family != "" && s.unfinished(family, c.Config) {
			return nil, fmt.Errorf("%s starts from a run of %s that is not done; submit the runs of %s first",
				c.Key, family, family)
		}
		list[i] = ListedCell{Cell: c, Run: state.Run, Retry: state.Status == Failed}
	}
	return list, nil
}

// unfinished reports whether the sweep has a cell of a family with the data, split and seed of c that
// is not done.
func (s *State) unfinished(family string, c rundir.Config) bool {
	return slices.ContainsFunc(s.Cells, func(other CellState) bool {
		o := other.Config
		return o.Family == family && o.Dataset == c.Dataset && o.Split == c.Split &&
			(o.Seed == c.Seed || config.Seedless(o)) && other.Status != Done
	})
}

// script returns the text of the job script.
func (p *Plan) script() (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	runs, err := rundir.Root()
	if err != nil {
		return "", err
	}
	environment := []string{"DGPLAB_RUNS=" + runs}
	if cache := os.Getenv("DGPLAB_CACHE"); cache != "" {
		environment = append(environment, "DGPLAB_CACHE="+cache)
	}
	command := []string{program, "sweep", "task", p.state.Name, "--list", p.List}
	if p.AllowMemory {
		command = append(command, "--allow-memory")
	}
	s := slurm.Script{
		Options: p.Options,
		Name:    JobName(p.state.Name),
		Comment: []string{
			fmt.Sprintf("Trains %d runs of the sweep %s, written by dgplab.", p.Cells, p.state.Name),
			fmt.Sprintf("Each task trains runs that %s lists, one after another, until none is left.",
				listFileName),
		},
		Logs:        filepath.Join(p.Dir, logsName),
		Environment: environment,
		Command:     slurm.Quoted(command...),
	}
	err = s.Check()
	if err != nil {
		return "", err
	}
	return s.Text(), nil
}

// Submit writes the list and the script, submits the array, and then writes the sweep and the submission. If
// one of that fails, nothing is left behind.
func (p *Plan) Submit(ctx context.Context) error {
	existed := folderExists(p.state.Dir)
	folder, err := lockFolder(p.state.Name)
	if err != nil {
		return err
	}
	defer folder.Close()
	next, err := p.state.nextList()
	if err == nil && next != p.List {
		err = fmt.Errorf("the sweep %s was submitted by another process at the same time; try again",
			p.state.Name)
	}
	if err != nil {
		return err
	}
	err = p.submit(ctx, folder.dir)
	switch {
	case err == nil:
		return nil
	case p.Job != "":
		err = errors.Join(err, slurm.Cancel(context.WithoutCancel(ctx), []string{p.Job}))
	}
	if existed {
		return errors.Join(err, folder.dir.RemoveAll(filepath.Join(listsName, p.List)))
	}
	all, failed := files.OS.OpenDir(filepath.Dir(p.state.Dir))
	if failed != nil {
		return errors.Join(err, failed)
	}
	defer all.Close()
	return errors.Join(err, all.RemoveAll(p.state.Name))
}

// submit is Submit in the open folder of the sweep.
func (p *Plan) submit(ctx context.Context, sweep files.Dir) error {
	p.Created = time.Now().UTC().Truncate(time.Second)
	list, err := rundir.OpenFolder(folderName, p.state.Name, listsName, p.List)
	if err != nil {
		return err
	}
	defer list.Close()
	if err := writeList(list, p.cells); err != nil {
		return err
	}
	if err := list.Mkdir(logsName); err != nil {
		return err
	}
	err = files.Replace(list, scriptName, func(w io.Writer) error {
		_, err := io.WriteString(w, p.Script)
		return err
	})
	if err != nil {
		return err
	}
	p.Job, err = slurm.Submit(ctx, p.Path, p.Tasks)
	if err != nil {
		return err
	}
	if err := rundir.WriteJSON(list, submissionFileName, &p.Submission); err != nil {
		return err
	}
	return p.state.saved(sweep)
}

func folderExists(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

// Save creates a sweep without training it, or extends it.
func Save(s *State) error {
	folder, err := lockFolder(s.Name)
	if err != nil {
		return err
	}
	defer folder.Close()
	return s.saved(folder.dir)
}

// saved writes the file of the sweep if it is new or has more cells than before.
func (s *State) saved(dir files.Dir) error {
	if s.Grid.Halving > 0 {
		return errHalving
	}
	cells, err := s.Grid.Cells() // The state may have only some of them.
	if err != nil {
		return err
	}
	copied := *s
	return copied.establish(dir, cells, time.Now())
}

// errHalving is the error of a sweep with successive halving that is to be trained by tasks.
var errHalving = errors.New("successive halving decides between runs and cannot be divided among tasks; " +
	"train the sweep on one machine")
