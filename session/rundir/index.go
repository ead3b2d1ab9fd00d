package rundir

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"dgplab/datasets/files"
	"dgplab/models"
	"dgplab/models/family"
)

const (
	// indexName is the file of the index, beside the run directories.
	indexName = ".index"
	// indexVersion is the format of the index. It must change when the same files give other values
	// of Info; a change of its fields is noticed.
	indexVersion = 1
	// maxIndex bounds the size of the index in bytes.
	maxIndex = 1 << 30
	// blockRuns is the number of runs in a block.
	blockRuns = 1024
	// unindexedRuns is the number of runs without an entry for which the index is not written again,
	// and unindexedShare their share of all runs.
	unindexedRuns, unindexedShare = 64, 16
	// minIndexAge is the minimum age of the files of a run in the index. It allows for file systems
	// with times in seconds.
	minIndexAge = 2 * time.Second
)

// index holds the ended runs of a folder as an earlier list has read them, in blocks in the order of
// their names. It only saves time: an entry counts while the files of its run are unchanged. A missing
// or damaged index has no entries.
type index struct {
	parent string
	blocks []*indexBlock
}

// indexHead is the first line of the index. The blocks follow it.
type indexHead struct {
	Format int    `json:"format"`
	Fields string `json:"fields"` // see infoFields
	Blocks []struct {
		Last  string `json:"last"` // the name of the last run
		Bytes int    `json:"bytes"`
		CRC   uint32 `json:"crc"`
	} `json:"blocks"`
}

// indexBlock is decoded when the first of its runs is needed.
type indexBlock struct {
	last    string
	text    []byte
	crc     uint32
	once    sync.Once
	entries map[string]*cacheEntry
}

// blockFile is the content of a block.
type blockFile struct {
	// Shared holds data that runs have in common.
	Shared []sharedData
	Runs   []indexedRun
}

// sharedData is what runs of a sweep have in common. The seed of Config is 0.
type sharedData struct {
	Config          Config
	Values          models.Values
	ObjectiveIs     family.Objective
	Data            DataFacts
	Notes, Warnings []string
}

// indexedRun is a run without the data that follow from its directory and from Shared.
type indexedRun struct {
	Stamp  stamp
	Shared int
	Seed   uint64
	Info   Info
	// Same is set if the results have the configuration of the run.
	Same bool
}

// readIndex reads the index of a folder.
func readIndex(parent string) *index {
	x := &index{parent: parent}
	text, err := files.Read(files.OS, filepath.Join(parent, indexName), maxIndex)
	if err != nil {
		return x
	}
	line, rest, _ := bytes.Cut(text, []byte("\n"))
	var head indexHead
	if json.Unmarshal(line, &head) != nil || head.Format != indexVersion || head.Fields != infoFields() {
		return x
	}
	for _, b := range head.Blocks {
		if b.Bytes < 0 || b.Bytes > len(rest) {
			break // The file is cut off.
		}
		x.blocks = append(x.blocks, &indexBlock{last: b.Last, text: rest[:b.Bytes], crc: b.CRC})
		rest = rest[b.Bytes:]
	}
	return x
}

// blocksFrom returns the blocks that can hold a run or runs with later names.
func (x *index) blocksFrom(name string) []*indexBlock {
	i, _ := slices.BinarySearchFunc(x.blocks, name, func(b *indexBlock, name string) int {
		return strings.Compare(b.last, name)
	})
	return x.blocks[i:]
}

// prepare decodes the entries of a run and of all runs with later names in parallel.
func (x *index) prepare(name string) {
	blocks := x.blocksFrom(name)
	inParallel(len(blocks), func(i int) { blocks[i].decodeOnce(x.parent) })
}

// find returns the entry of a run, or nil if there is none.
func (x *index) find(name string) *cacheEntry {
	blocks := x.blocksFrom(name)
	if len(blocks) == 0 {
		return nil
	}
	blocks[0].decodeOnce(x.parent)
	return blocks[0].entries[name]
}

func (b *indexBlock) decodeOnce(parent string) { b.once.Do(func() { b.decode(parent) }) }

// decode sets the entries. A damaged block has none.
func (b *indexBlock) decode(parent string) {
	text := b.text
	b.text = nil
	if crc32.ChecksumIEEE(text) != b.crc {
		return
	}
	var file blockFile
	if gob.NewDecoder(bytes.NewReader(text)).Decode(&file) != nil {
		return
	}
	b.entries = make(map[string]*cacheEntry, len(file.Runs))
	for _, run := range file.Runs {
		if run.Shared < 0 || run.Shared >= len(file.Shared) {
			continue
		}
		if e := run.restored(parent, &file.Shared[run.Shared]); e != nil {
			b.entries[run.Info.ID] = e
		}
	}
}

// sharedBy returns the data of an ended run that others can have, too.
func sharedBy(i *Info) sharedData {
	d := sharedData{Config: i.Config, Values: i.Values, ObjectiveIs: i.ObjectiveIs, Data: i.Data}
	d.Config.Seed = 0
	d.Notes, d.Warnings = i.Summary.Notes, i.Summary.Warnings
	return d
}

// slim returns an ended run without shared data.
func slim(e *cacheEntry, shared int) indexedRun {
	run := indexedRun{Stamp: e.stamp, Shared: shared, Seed: e.info.Seed, Info: e.info}
	info, results := &run.Info, *e.info.Summary
	run.Same = reflect.DeepEqual(results.Config, info.Config) && maps.Equal(results.Values, info.Values) &&
		results.Data.Equal(info.Data) && reflect.DeepEqual(results.ObjectiveIs, info.ObjectiveIs)
	if run.Same {
		results.Config, results.Values, results.Data = Config{}, nil, DataFacts{}
		results.ObjectiveIs = family.Objective{}
	}
	results.Notes, results.Warnings = nil, nil
	info.Summary, info.Dir, info.Changed = &results, "", time.Time{}
	info.Config, info.Values, info.Data, info.ObjectiveIs = Config{}, nil, DataFacts{}, family.Objective{}
	return run
}

// restored returns the entry of a run in a folder, or nil if it has no results.
func (r *indexedRun) restored(parent string, d *sharedData) *cacheEntry {
	info, results := r.Info, r.Info.Summary
	if results == nil {
		return nil
	}
	info.Dir = filepath.Join(parent, info.ID)
	info.Changed = r.Stamp.written()
	info.Config, info.Values, info.Data, info.ObjectiveIs = d.Config, d.Values, d.Data, d.ObjectiveIs
	info.Seed = r.Seed
	if r.Same {
		results.Config, results.Values, results.Data = info.Config, info.Values, info.Data
		results.ObjectiveIs = info.ObjectiveIs
	}
	results.Notes, results.Warnings = d.Notes, d.Warnings
	return &cacheEntry{stamp: r.Stamp, info: info, indexed: true}
}

// writeIndex replaces the index of a folder. Errors are ignored: without an index, or with an old one,
// lists take longer.
func writeIndex(parent string, entries map[string]*cacheEntry) {
	dir, err := files.OS.OpenDir(parent)
	if err != nil {
		return
	}
	defer dir.Close()
	_ = files.Replace(dir, indexName, func(w io.Writer) error { return encodeIndex(w, entries) })
}

// encodeIndex writes the index of some runs.
func encodeIndex(w io.Writer, entries map[string]*cacheEntry) error {
	names := slices.Sorted(maps.Keys(entries))
	head := indexHead{Format: indexVersion, Fields: infoFields()}
	var blocks bytes.Buffer
	for some := range slices.Chunk(names, blockRuns) {
		before := blocks.Len()
		if err := encodeBlock(&blocks, some, entries); err != nil {
			return err
		}
		text := blocks.Bytes()[before:]
		head.Blocks = append(head.Blocks, struct {
			Last  string `json:"last"`
			Bytes int    `json:"bytes"`
			CRC   uint32 `json:"crc"`
		}{some[len(some)-1], len(text), crc32.ChecksumIEEE(text)})
	}
	if err := json.NewEncoder(w).Encode(head); err != nil {
		return err
	}
	_, err := blocks.WriteTo(w)
	return err
}

// encodeBlock appends the block of some runs.
func encodeBlock(w io.Writer, names []string, entries map[string]*cacheEntry) error {
	var file blockFile
	known := map[string]int{}
	for _, name := range names {
		e := entries[name]
		shared := sharedBy(&e.info)
		key := fmt.Sprintf("%#v", shared) // with sorted maps
		at, ok := known[key]
		if !ok {
			at = len(file.Shared)
			known[key] = at
			file.Shared = append(file.Shared, shared)
		}
		file.Runs = append(file.Runs, slim(e, at))
	}
	return gob.NewEncoder(w).Encode(&file)
}

// infoFields returns a checksum of the names and types of all fields of Info. An index with other fields
// was written by another version of the program.
var infoFields = sync.OnceValue(func() string {
	sum := sha256.New()
	describeType(sum, reflect.TypeFor[indexedRun](), map[reflect.Type]bool{})
	return hex.EncodeToString(sum.Sum(nil)[:8])
})

// describeType writes a type with the types of its fields.
func describeType(w io.Writer, t reflect.Type, seen map[reflect.Type]bool) {
	fmt.Fprintln(w, t)
	if seen[t] {
		return
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			fmt.Fprint(w, t.Field(i).Name, " ")
			describeType(w, t.Field(i).Type, seen)
		}
	case reflect.Pointer, reflect.Slice, reflect.Array:
		describeType(w, t.Elem(), seen)
	case reflect.Map:
		describeType(w, t.Key(), seen)
		describeType(w, t.Elem(), seen)
	}
}
