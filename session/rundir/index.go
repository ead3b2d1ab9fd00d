package rundir

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"sync"
	"time"

	"dgplab/datasets/files"
	"dgplab/models"
	"dgplab/models/family"
)

const (
	// indexName is the file of the index, beside the run directories.
	indexName = ".index"
	// maxIndex bounds the size of the index in bytes.
	maxIndex = 1 << 30
	// unindexedRuns is the number of runs without an entry for which the index is not written again,
	// and unindexedShare their share of all runs.
	unindexedRuns, unindexedShare = 64, 16
	// minIndexAge is the minimum age of the files of a run in the index. It allows for file systems
	// with times in seconds.
	minIndexAge = 2 * time.Second
)

// sharedData decodes the shared members.
type sharedData struct {
	Config
	Values      models.Values    `json:"values"`
	ObjectiveIs family.Objective `json:"objective_is"`
	Data        DataFacts        `json:"data"`
}

// index holds the ended runs of a folder as an earlier list found them. It saves time: a line counts
// while the files of its run are unchanged, and is decoded when the run is needed. A line consists of the
// ID and five JSON values, separated by tabs: the stamp, the members that config.json and summary.json
// have in common, which are often those of other runs too, the other members of both files, and the
// notes.
type index struct {
	parent string
	lines  map[string][]byte // by ID, without it
	shared sync.Map          // *sharedData by their text, so that they are decoded and kept once
}

// readIndex reads the index of a folder. A missing index has no lines.
func readIndex(parent string) *index {
	x := &index{parent: parent, lines: map[string][]byte{}}
	text, err := files.Read(files.OS, filepath.Join(parent, indexName), maxIndex)
	if err != nil {
		return x
	}
	for line := range bytes.Lines(text) {
		id, rest, _ := bytes.Cut(line, []byte("\t"))
		x.lines[string(id)] = rest
	}
	return x
}

// entry returns the entry of a run, or nil if its line is missing or damaged.
func (x *index) entry(id string) *cacheEntry {
	parts := bytes.Split(x.lines[id], []byte("\t"))
	if len(parts) != 5 {
		return nil
	}
	d := x.decodeShared(parts[1])
	if d == nil {
		return nil
	}
	info := Info{Dir: filepath.Join(x.parent, id), Results: new(Summary)}
	var now stamp
	c, s := &info.ConfigFile, info.Results
	c.Config, c.Values, c.ObjectiveIs, c.Data = d.Config, d.Values, d.ObjectiveIs, d.Data
	s.Config, s.Values, s.ObjectiveIs, s.Data = d.Config, d.Values, d.ObjectiveIs, d.Data
	err := errors.Join(json.Unmarshal(parts[0], &now), json.Unmarshal(parts[2], c), s.UnmarshalJSON(parts[3]),
		json.Unmarshal(parts[4], &info.Notes))
	if err != nil || c.Format != configVersion || s.Format != SummaryFormat {
		return nil
	}
	info.Changed = now.written()
	info.ID = id
	info.Steps = StepLimit(info.Values, info.Data.N)
	info.setState()
	return &cacheEntry{stamp: now, info: info, agrees: true, indexed: true}
}

// decodeShared decodes shared members, once for all runs that have them. It returns nil if they are damaged.
func (x *index) decodeShared(text []byte) *sharedData {
	known, ok := x.shared.Load(string(text))
	if !ok {
		d := new(sharedData)
		if json.Unmarshal(text, d) != nil {
			return nil
		}
		known, _ = x.shared.LoadOrStore(string(text), d)
	}
	return known.(*sharedData)
}

// writeIndex replaces the index of a folder. Errors are ignored: without an index, or with an old one,
// lists take longer.
func writeIndex(parent string, entries []*cacheEntry) {
	dir, err := files.OS.OpenDir(parent)
	if err != nil {
		return
	}
	defer dir.Close()
	_ = files.Replace(dir, indexName, func(w io.Writer) error { return encodeIndex(w, entries) })
}

// encodeIndex writes the lines of ended runs. Runs whose files can no longer be read have none.
func encodeIndex(w io.Writer, entries []*cacheEntry) error {
	out := bufio.NewWriter(w) // keeps its first error
	for _, e := range entries {
		var config, summary map[string]json.RawMessage
		if ReadJSON(filepath.Join(e.info.Dir, configName), &config) != nil ||
			ReadJSON(filepath.Join(e.info.Dir, summaryName), &summary) != nil {
			continue
		}
		shared := map[string]json.RawMessage{}
		for _, name := range []string{"dataset", "targets", "columns", "split", "family", "set", "preset",
			"values", "objective_is", "data"} {
			if text, ok := config[name]; ok && bytes.Equal(text, summary[name]) {
				shared[name] = text
				delete(config, name)
				delete(summary, name)
			}
		}
		out.WriteString(e.info.ID)
		for _, value := range []any{e.stamp, shared, config, summary, e.info.Notes} {
			text, err := json.Marshal(value)
			if err != nil {
				return err
			}
			out.WriteByte('\t')
			out.Write(text)
		}
		out.WriteByte('\n')
	}
	return out.Flush()
}
