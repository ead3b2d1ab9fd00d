package rundir

import (
	"bufio"
	"bytes"
	"encoding/json"
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

// indexedRun is a line of the index: the files of an ended run as an earlier list has found them. It only
// saves time: a line counts while the files are unchanged.
type indexedRun struct {
	Stamp stamp `json:"stamp"`
	// Shared holds the members that config.json and summary.json have in common. Those of other runs are
	// often the same. Config and Summary hold the other members.
	Shared  json.RawMessage `json:"shared"`
	Config  json.RawMessage `json:"config"`
	Summary json.RawMessage `json:"summary"`
	Notes   Notes           `json:"notes"`
}

// sharedData decodes the shared members.
type sharedData struct {
	Config
	Values      models.Values    `json:"values"`
	ObjectiveIs family.Objective `json:"objective_is"`
	Data        DataFacts        `json:"data"`
}

// readIndex returns the entries of a folder by directory. A missing index and damaged lines have none.
func readIndex(parent string) map[string]*cacheEntry {
	text, err := files.Read(files.OS, filepath.Join(parent, indexName), maxIndex)
	if err != nil {
		return nil
	}
	lines := bytes.Split(text, []byte("\n"))
	found := make([]*cacheEntry, len(lines))
	var known sync.Map
	inParallel(len(lines), func(i int) { found[i] = readEntry(parent, lines[i], &known) })
	entries := make(map[string]*cacheEntry, len(lines))
	for _, e := range found {
		if e != nil {
			entries[e.info.Dir] = e
		}
	}
	return entries
}

// readEntry returns the entry of a line, or nil if the line is damaged. known holds shared data by their
// text, so that they are decoded and kept once.
func readEntry(parent string, line []byte, known *sync.Map) *cacheEntry {
	var run indexedRun
	if json.Unmarshal(line, &run) != nil {
		return nil
	}
	key := string(run.Shared)
	value, ok := known.Load(key)
	if !ok {
		shared := new(sharedData)
		if json.Unmarshal(run.Shared, shared) != nil {
			return nil
		}
		value, _ = known.LoadOrStore(key, shared)
	}
	d := value.(*sharedData)
	info := Info{Notes: run.Notes, Changed: run.Stamp.written(), Summary: new(Summary)}
	c, s := &info.ConfigFile, info.Summary
	c.Config, c.Values, c.ObjectiveIs, c.Data = d.Config, d.Values, d.ObjectiveIs, d.Data
	s.Config, s.Values, s.ObjectiveIs, s.Data = d.Config, d.Values, d.ObjectiveIs, d.Data
	if json.Unmarshal(run.Config, c) != nil || json.Unmarshal(run.Summary, s) != nil ||
		c.Format != configVersion || s.Format != SummaryFormat {
		return nil
	}
	info.ID = filepath.Base(info.ID)
	info.Dir = filepath.Join(parent, info.ID)
	info.conclude()
	return &cacheEntry{stamp: run.Stamp, info: info, indexed: true}
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
	out := bufio.NewWriter(w)
	lines := json.NewEncoder(out)
	for _, e := range entries {
		var config, summary map[string]json.RawMessage
		if ReadJSON(filepath.Join(e.info.Dir, configName), &config) != nil ||
			ReadJSON(filepath.Join(e.info.Dir, summaryName), &summary) != nil {
			continue
		}
		config["id"], _ = json.Marshal(e.info.ID)
		shared := map[string]json.RawMessage{}
		for _, name := range []string{"dataset", "targets", "columns", "split", "family", "set", "preset",
			"values", "objective_is", "data"} {
			if text, ok := config[name]; ok && bytes.Equal(text, summary[name]) {
				shared[name] = text
				delete(config, name)
				delete(summary, name)
			}
		}
		if err := lines.Encode(map[string]any{"stamp": e.stamp, "shared": shared, "config": config,
			"summary": summary, "notes": e.info.Notes}); err != nil {
			return err
		}
	}
	return out.Flush()
}
