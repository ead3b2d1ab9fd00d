package rundir

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/datasets/files"
)

// PackSuffix ends the names of packed models.
const PackSuffix = ".dgp"

// packVersion is the format of a packed model; see session/FORMAT.md.
const packVersion = 1

// The members of a packed model. rowsName is missing if it was packed without data.
const (
	manifestName = "manifest.json"
	dataName     = "data.json"
	rowsName     = "rows"
)

// packMembers lists all members in their order. The manifest is the first.
var packMembers = []string{manifestName, configName, summaryName, checkpointName, dataName, rowsName}

// Pack is a model that travels: everything that predictions need of a run. A file holds it.
type Pack struct {
	// Program is the version of the program that wrote it.
	Program string
	Config  *ConfigFile
	// Summary is nil for a run that had not ended.
	Summary    *Summary
	Checkpoint *Checkpoint
	Data       datasets.Packed
	// Train holds the training rows, without their numbers. It has none if the model was packed without data.
	Train datasets.Part
}

// manifest is the first member of a packed model.
type manifest struct {
	Format  int           `json:"format"`
	Program string        `json:"program"`
	Run     string        `json:"run"`
	Family  string        `json:"family"`
	Members []memberFacts `json:"members"`
}

// memberFacts describes a member.
type memberFacts struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Write writes the packed model as a ZIP file. Its members are stored, not compressed: a file cannot grow
// when it is read, and numbers hardly shrink. The same model gives the same bytes.
func (p *Pack) Write(w io.Writer) error {
	members := map[string][]byte{}
	var saved bytes.Buffer
	c := p.Checkpoint
	if err := encodeCheckpoint(&saved, c.Run, c.Progress, c.Arrays, c.kept); err != nil {
		return err
	}
	members[checkpointName] = saved.Bytes()
	texts := map[string]any{configName: p.Config, dataName: p.Data}
	if p.Summary != nil {
		texts[summaryName] = p.Summary
	}
	for name, value := range texts {
		text, err := json.Marshal(value)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		members[name] = text
	}
	if p.Train.Len() > 0 {
		members[rowsName] = encodeRows(p.Train)
	}
	head := manifest{Format: packVersion, Program: p.Program, Run: c.Run, Family: p.Config.Family}
	for _, name := range packMembers[1:] {
		if text, has := members[name]; has {
			sum := sha256.Sum256(text)
			head.Members = append(head.Members,
				memberFacts{name, int64(len(text)), hex.EncodeToString(sum[:])})
		}
	}
	text, err := json.MarshalIndent(head, "", "  ")
	if err != nil {
		return err
	}
	members[manifestName] = text
	z := zip.NewWriter(w)
	for _, name := range packMembers {
		text, has := members[name]
		if !has {
			continue
		}
		out, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			return err
		}
		if _, err := out.Write(text); err != nil {
			return err
		}
	}
	return z.Close()
}

// encodeRows returns rows as little-endian float64: for each one the standardised inputs and targets, the
// targets in original units, and its known noise and its weight, if the rows have any.
func encodeRows(p datasets.Part) []byte {
	var text []byte
	for i := range p.Len() {
		for _, row := range rowParts(p, i) {
			for _, v := range row {
				text = binary.LittleEndian.AppendUint64(text, math.Float64bits(v))
			}
		}
	}
	return text
}

// rowParts returns what is stored of row i.
func rowParts(p datasets.Part, i int) [][]float64 {
	list := [][]float64{p.X.RawRowView(i), p.Y.RawRowView(i), p.Targets.RawRowView(i)}
	for _, known := range [][]float64{p.Noise, p.Weights} {
		if known != nil {
			list = append(list, known[i:i+1])
		}
	}
	return list
}

// decodeRows is the inverse of encodeRows for the training rows of a data set.
func decodeRows(text []byte, of datasets.Packed) (rows datasets.Part, err error) {
	n, d, p := of.Rows, len(of.Inputs), len(of.Targets)
	width := d + 2*p
	for _, has := range []bool{of.Noise, of.Weights} {
		if has {
			width++
		}
	}
	if n > len(text)/8/width || len(text) != 8*n*width {
		return rows, fmt.Errorf("%d bytes for %d rows of %d inputs and %d targets", len(text), n, d, p)
	}
	rows.X = mat.NewDense(n, d, nil)
	rows.Y = mat.NewDense(n, p, nil)
	rows.Targets = mat.NewDense(n, p, nil)
	if of.Noise {
		rows.Noise = make([]float64, n)
	}
	if of.Weights {
		rows.Weights = make([]float64, n)
	}
	for i := range n {
		for _, row := range rowParts(rows, i) {
			for k := range row {
				row[k] = math.Float64frombits(binary.LittleEndian.Uint64(text))
				text = text[8:]
			}
		}
	}
	return rows, nil
}

// OpenPack reads a packed model. It verifies all of it, and its memory is bounded by the size of the file. It
// returns an error for anything that Pack.Write does not write.
func OpenPack(path string) (*Pack, error) {
	file, err := files.OpenLinked(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	p, err := readPack(file, info.Size(), path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, files.Brief(err))
	}
	return p, nil
}

// readPack reads a packed model of size bytes. path is its path.
func readPack(r io.ReaderAt, size int64, path string) (*Pack, error) {
	members, err := packedFiles(r, size)
	if err != nil {
		return nil, err
	}
	var head manifest
	if err := decodeJSON(members, manifestName, &head); err != nil {
		return nil, err
	}
	if head.Format != packVersion {
		return nil, fmt.Errorf("format %d of packed models, written by %q; this program reads format %d",
			head.Format, head.Program, packVersion)
	}
	if err := head.verify(members); err != nil {
		return nil, err
	}
	p := &Pack{Program: head.Program, Config: new(ConfigFile)}
	if err := decodeJSON(members, configName, p.Config); err != nil {
		return nil, err
	}
	if err := p.Config.check(configName); err != nil {
		return nil, err
	}
	if p.Config.ID != filepath.Base(p.Config.ID) || strings.HasPrefix(p.Config.ID, ".") {
		return nil, fmt.Errorf("%s: %q is not a run ID", configName, p.Config.ID)
	}
	if _, ended := members[summaryName]; ended {
		p.Summary = new(Summary)
		if err := decodeJSON(members, summaryName, p.Summary); err != nil {
			return nil, err
		}
		if err := p.Summary.check(summaryName); err != nil {
			return nil, err
		}
	}
	saved := members[checkpointName]
	p.Checkpoint, err = decodeCheckpoint(bytes.NewReader(saved), int64(len(saved)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", checkpointName, err)
	}
	if p.Checkpoint.Run != p.Config.ID {
		return nil, fmt.Errorf("%s belongs to another run than %s", checkpointName, configName)
	}
	p.Checkpoint.Path = path
	if err := decodeJSON(members, dataName, &p.Data); err != nil {
		return nil, err
	}
	return p, p.checkData(members[rowsName])
}

// checkData decodes the rows and checks the data against the configuration.
func (p *Pack) checkData(rows []byte) (err error) {
	if err := p.Data.Check(); err != nil {
		return fmt.Errorf("%s: %w", dataName, err)
	}
	d, outputs := len(p.Data.Inputs), len(p.Data.Targets)
	facts := p.Config.Data
	if facts.N != p.Data.Rows || facts.D != d || facts.P != outputs || facts.Task != p.Data.Task {
		return fmt.Errorf("%s does not belong to %s", dataName, configName)
	}
	if rows == nil {
		return nil
	}
	p.Train, err = decodeRows(rows, p.Data)
	if err == nil {
		err = p.Data.CheckRows(p.Train)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", rowsName, err)
	}
	return nil
}

// packedFiles returns the contents of the members by name.
func packedFiles(r io.ReaderAt, size int64) (map[string][]byte, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, errors.New("not a packed model, or a part of one: it has no directory of a ZIP file")
	}
	members := map[string][]byte{}
	for _, f := range z.File {
		_, twice := members[f.Name]
		switch {
		case !slices.Contains(packMembers, f.Name) || twice:
			return nil, fmt.Errorf("unexpected or repeated member %q", f.Name)
		case f.Method != zip.Store || f.CompressedSize64 != f.UncompressedSize64 ||
			f.UncompressedSize64 > uint64(size):
			return nil, fmt.Errorf("the member %s is compressed or larger than the file", f.Name)
		case strings.HasSuffix(f.Name, ".json") && f.UncompressedSize64 > maxJSON:
			return nil, fmt.Errorf("the member %s is larger than %d MB", f.Name, maxJSON>>20)
		}
		text := make([]byte, f.UncompressedSize64)
		in, err := f.Open()
		if err == nil {
			_, err = io.ReadFull(in, text)
		}
		if err == nil {
			_, err = in.Read(make([]byte, 1)) // The end verifies the checksum.
		}
		if !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("the member %s is damaged", f.Name)
		}
		members[f.Name] = text
	}
	if members[manifestName] == nil {
		return nil, fmt.Errorf("not a packed model: it has no %s", manifestName)
	}
	return members, nil
}

// verify checks that the members are those of the manifest.
func (m *manifest) verify(members map[string][]byte) error {
	listed := map[string]bool{manifestName: true}
	for _, f := range m.Members {
		text, has := members[f.Name]
		sum := sha256.Sum256(text)
		if !has || int64(len(text)) != f.Bytes || hex.EncodeToString(sum[:]) != f.SHA256 {
			return fmt.Errorf("the member %q is missing or has another checksum than in %s",
				f.Name, manifestName)
		}
		listed[f.Name] = true
	}
	for _, name := range packMembers {
		if _, has := members[name]; has && !listed[name] {
			return fmt.Errorf("the member %s is not in %s", name, manifestName)
		}
	}
	for _, name := range []string{configName, checkpointName, dataName} {
		if !listed[name] {
			return fmt.Errorf("the member %s is missing", name)
		}
	}
	return nil
}

// decodeJSON decodes a member.
func decodeJSON(members map[string][]byte, name string, value any) error {
	if err := json.Unmarshal(members[name], value); err != nil {
		return fmt.Errorf("%s: %w", name, jsonError(err))
	}
	return nil
}

// FindModel is like FindReadOnly but also accepts the path of a packed model, which ends in PackSuffix. Its
// Info has the path as Dir.
func FindModel(id string) (Info, error) {
	if !strings.HasSuffix(id, PackSuffix) {
		return FindReadOnly(id)
	}
	p, err := OpenPack(id)
	if errors.Is(err, fs.ErrNotExist) {
		return Info{}, noRunErrorf("no such packed model: %s", id)
	}
	if err != nil {
		return Info{}, err
	}
	return p.Info(id), nil
}

// WithoutData reports whether the run is a model that was packed without its training rows.
func (i Info) WithoutData() bool { return i.Packed != nil && i.Packed.Train.Len() == 0 }

// Info describes the packed model as the run that it is of. path is the path of its file.
func (p *Pack) Info(path string) Info {
	info := Info{ConfigFile: *p.Config, Dir: path, Packed: p}
	info.Steps = StepLimit(info.Values, info.Data.N)
	info.Results = p.Summary
	info.setState()
	info.Resumable = false
	if p.Summary == nil {
		info.Step = p.Checkpoint.Progress.Step
	} else {
		p.Summary.Dir = path
	}
	return info
}
