package rundir

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"path/filepath"
	"slices"

	"dgplab/datasets/files"
	"dgplab/models"
)

// The format of the checkpoint file is described in session/FORMAT.md.
const (
	checkpointMagic   = "dgplabCP"
	checkpointVersion = 1
	// maxHeader bounds the memory that a loader allocates before it has verified the checksum.
	maxHeader = 16 << 20
)

// EarlyStopping is the state of the early-stopping rule.
type EarlyStopping struct {
	// Every is the number of steps between evaluations.
	Every int `json:"every"`
	// Window holds the last evaluations, oldest first.
	Window []float64 `json:"window"`
	// Steps and Means hold the part of the smoothed curve that the rule depends on.
	Steps []int     `json:"steps"`
	Means []float64 `json:"means"`
}

// Kept describes the result of a run with keep=best: the state with the highest mean of recent validation
// log-likelihoods.
type Kept struct {
	// Step is the step of the state, or 0 before the first validation. ValLogLik is its mean
	// validation log-likelihood.
	Step      int     `json:"step"`
	ValLogLik float64 `json:"val_log_lik"`
	// Steps and Values hold the recent validations, oldest first.
	Steps  []int     `json:"steps"`
	Values []float64 `json:"values"`
	// Passed is set at the end of a run if the state of the last step is the result, because its validation
	// cannot be told from that of the kept state.
	Passed bool `json:"passed,omitempty"`
}

// Decay describes a decay of the learning rate that began early.
type Decay struct {
	// After is the last step before the decay, and End is the last step of the run.
	After int `json:"after"`
	End   int `json:"end"`
	// Stop is the reason.
	Stop Stop `json:"stop"`
}

// Progress is the part of a checkpoint that does not belong to the model.
type Progress struct {
	Step     int            `json:"step"`
	Seconds  float64        `json:"seconds"`
	Rescues  int            `json:"rescues"`
	BestVal  Number         `json:"best_val_log_lik"`
	BestStep int            `json:"best_step"`
	Early    *EarlyStopping `json:"early_stopping,omitempty"`
	Kept     *Kept          `json:"kept,omitempty"`
	// Pending is the report line of the step if its validation was interrupted. A resumed run repeats the
	// validation first.
	Pending *Point `json:"pending,omitempty"`
	// Last is the report of the step if it has no report line yet. The line is written if the run
	// ends at this step.
	Last *Point `json:"last,omitempty"`
	// Decay is set if the decay of the learning rate began before its share of the steps.
	Decay *Decay `json:"decay,omitempty"`
	// Converged is true if further steps would not change the model.
	Converged bool `json:"converged,omitempty"`
}

// KeptApart reports whether the kept state belongs to another step. The checkpoint then holds all
// arrays twice.
func (p *Progress) KeptApart() bool {
	return p.Kept != nil && p.Kept.Step > 0 && p.Kept.Step != p.Step
}

// Clone returns a copy that shares no mutable data with p.
func (p Progress) Clone() Progress {
	if p.Early != nil {
		early := *p.Early
		early.Window = slices.Clone(early.Window)
		early.Steps = slices.Clone(early.Steps)
		early.Means = slices.Clone(early.Means)
		p.Early = &early
	}
	if p.Kept != nil {
		kept := *p.Kept
		kept.Steps = slices.Clone(kept.Steps)
		kept.Values = slices.Clone(kept.Values)
		p.Kept = &kept
	}
	return p
}

// checkpointHeader is the JSON part of a checkpoint.
type checkpointHeader struct {
	Run      string       `json:"run"`
	Progress Progress     `json:"progress"`
	Arrays   []arrayShape `json:"arrays"`
}

type arrayShape struct {
	Name string `json:"name"`
	Len  int    `json:"len"`
}

// saveCheckpoint atomically writes a checkpoint of a run into dir. kept holds the arrays of p.Kept. It is
// ignored if that state belongs to the same step.
func saveCheckpoint(dir files.Dir, name, run string, p Progress, arrays, kept []models.Array) error {
	return files.Replace(dir, name, func(w io.Writer) error {
		return encodeCheckpoint(w, run, p, arrays, kept)
	})
}

func encodeCheckpoint(w io.Writer, run string, p Progress, arrays, kept []models.Array) error {
	header := checkpointHeader{Run: run, Progress: p}
	for _, a := range arrays {
		header.Arrays = append(header.Arrays, arrayShape{a.Name, len(a.Data)})
	}
	text, err := json.Marshal(header)
	if err != nil {
		return err
	}
	sum := sha256.New()
	out := io.MultiWriter(w, sum)
	start := append([]byte(checkpointMagic), make([]byte, 8)...)
	binary.LittleEndian.PutUint32(start[8:], checkpointVersion)
	binary.LittleEndian.PutUint32(start[12:], uint32(len(text)))
	if _, err := out.Write(append(start, text...)); err != nil {
		return err
	}
	if p.KeptApart() {
		arrays = slices.Concat(arrays, kept)
	}
	buffer := make([]byte, 0, 1<<13)
	for _, a := range arrays {
		for data := a.Data; len(data) > 0; {
			n := min(len(data), cap(buffer)/8)
			buffer = buffer[:0]
			for _, x := range data[:n] {
				buffer = binary.LittleEndian.AppendUint64(buffer, math.Float64bits(x))
			}
			if _, err := out.Write(buffer); err != nil {
				return err
			}
			data = data[n:]
		}
	}
	_, err = w.Write(sum.Sum(nil))
	return err
}

// Checkpoint is the content of a verified checkpoint file.
type Checkpoint struct {
	// Run is the ID of the run that wrote the file.
	Run      string
	Progress Progress
	Arrays   []models.Array
	// kept holds the arrays of Progress.Kept, or nil if that state belongs to the same step.
	kept []models.Array
	// Path is the path of the file.
	Path string
}

// Result returns the arrays used for scores and predictions, and their step. They are the kept state if it
// belongs to another step, and otherwise the state of the last step.
func (c *Checkpoint) Result() (arrays []models.Array, step int) {
	if c.kept != nil && !c.Progress.Kept.Passed {
		return c.kept, c.Progress.Kept.Step
	}
	return c.Arrays, c.Progress.Step
}

// Clone returns a copy whose kept state and progress are its own.
func (c *Checkpoint) Clone() *Checkpoint {
	out := *c
	out.Progress = c.Progress.Clone()
	out.kept = slices.Clone(c.kept)
	for i := range out.kept {
		out.kept[i].Data = slices.Clone(out.kept[i].Data)
	}
	return &out
}

// Kept returns the state with the best validation, which may be the state of the last step.
func (c *Checkpoint) Kept() []models.Array {
	if c.kept != nil {
		return c.kept
	}
	return c.Arrays
}

// ReadCheckpoint reads and verifies the checkpoint of dir. The error wraps fs.ErrNotExist if there
// is none.
func ReadCheckpoint(dir string) (*Checkpoint, error) { return readCheckpoint(dir, checkpointName) }

// ReadStable reads and verifies the checkpoint before the decay of the learning rate, like ReadCheckpoint.
func ReadStable(dir string) (*Checkpoint, error) { return readCheckpoint(dir, stableName) }

func readCheckpoint(dir, name string) (*Checkpoint, error) {
	path := filepath.Join(dir, name)
	file, err := files.Open(files.OS, path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	c, err := decodeCheckpoint(file, info.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	c.Path = path
	return c, nil
}

// Restore copies the state of the last step into the arrays of a model. The arrays are unchanged if
// it returns an error.
func (c *Checkpoint) Restore(arrays []models.Array) error {
	return c.restore(arrays, c.Arrays)
}

// RestoreResult copies the state returned by Result into the arrays of a model. The arrays are
// unchanged if it returns an error.
func (c *Checkpoint) RestoreResult(arrays []models.Array) error {
	result, _ := c.Result()
	return c.restore(arrays, result)
}

func (c *Checkpoint) restore(dst, src []models.Array) error {
	if err := c.checkArrays(dst); err != nil {
		return fmt.Errorf("%s: %w", c.Path, err)
	}
	for i, a := range dst {
		copy(a.Data, src[i].Data)
	}
	return nil
}

// checkArrays returns an error unless the checkpoint has exactly the arrays of the model.
func (c *Checkpoint) checkArrays(want []models.Array) error {
	if len(c.Arrays) != len(want) {
		return fmt.Errorf("the checkpoint has %d arrays, but the model has %d", len(c.Arrays), len(want))
	}
	for i, a := range want {
		if have := c.Arrays[i]; have.Name != a.Name || len(have.Data) != len(a.Data) {
			return fmt.Errorf("the checkpoint has %q of length %d, but the model has %q of length %d",
				have.Name, len(have.Data), a.Name, len(a.Data))
		}
	}
	return nil
}

// CheckpointStep returns the step of the checkpoint of dir without verifying the file. It returns
// -1 if there is none or its header is damaged.
func CheckpointStep(dir string) int {
	file, err := files.Open(files.OS, filepath.Join(dir, checkpointName))
	if err != nil {
		return -1
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return -1
	}
	header, _, err := decodeHeader(file, info.Size())
	if err != nil {
		return -1
	}
	return header.Progress.Step
}

// decodeCheckpoint reads and verifies a checkpoint of size bytes. Its allocations are bounded by
// size, even if the header is damaged.
func decodeCheckpoint(r io.Reader, size int64) (*Checkpoint, error) {
	sum := sha256.New()
	in := io.TeeReader(r, sum)
	header, headerSize, err := decodeHeader(in, size)
	if err != nil {
		return nil, err
	}
	shapes := header.Arrays
	if header.Progress.KeptApart() {
		shapes = slices.Concat(shapes, shapes)
	}
	rest := size - headerSize - sha256.Size
	for _, a := range shapes {
		if a.Len < 0 || int64(a.Len) > rest/8 {
			return nil, fmt.Errorf("truncated in array %q", a.Name)
		}
		rest -= 8 * int64(a.Len)
	}
	if rest != 0 {
		return nil, fmt.Errorf("%d trailing bytes", rest)
	}
	arrays := make([]models.Array, len(shapes))
	for i, a := range shapes {
		raw := make([]byte, 8*a.Len)
		if _, err := io.ReadFull(in, raw); err != nil {
			return nil, fmt.Errorf("read array %q: %w", a.Name, err)
		}
		values := make([]float64, a.Len)
		for j := range values {
			values[j] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*j:]))
		}
		arrays[i] = models.Array{Name: a.Name, Data: values}
	}
	c := &Checkpoint{Run: header.Run, Progress: header.Progress, Arrays: arrays}
	if n := len(header.Arrays); n < len(arrays) {
		c.Arrays = arrays[:n:n]
		c.kept = arrays[n:]
	}
	return c, verify(r, sum)
}

func decodeHeader(in io.Reader, size int64) (*checkpointHeader, int64, error) {
	var start [16]byte
	if _, err := io.ReadFull(in, start[:]); err != nil || string(start[:8]) != checkpointMagic {
		return nil, 0, errors.New("not a checkpoint")
	}
	if v := binary.LittleEndian.Uint32(start[8:]); v != checkpointVersion {
		return nil, 0, fmt.Errorf("checkpoint format %d; this program reads format %d", v, checkpointVersion)
	}
	n := int64(binary.LittleEndian.Uint32(start[12:]))
	if n > maxHeader || n > size-16 {
		return nil, 0, errors.New("truncated header")
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(in, text); err != nil {
		return nil, 0, fmt.Errorf("read the header: %w", err)
	}
	header := new(checkpointHeader)
	if err := json.Unmarshal(text, header); err != nil {
		return nil, 0, fmt.Errorf("damaged header: %w", jsonError(err))
	}
	return header, 16 + n, nil
}

func verify(r io.Reader, sum hash.Hash) error {
	var stored [sha256.Size]byte
	if _, err := io.ReadFull(r, stored[:]); err != nil {
		return fmt.Errorf("read the checksum: %w", err)
	}
	if !bytes.Equal(stored[:], sum.Sum(nil)) {
		return errors.New("wrong checksum: the file is damaged")
	}
	return nil
}
