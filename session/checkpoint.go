package session

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
	"os"
	"path/filepath"

	"dgplab/models"
)

// The checkpoint file, described in FORMAT.md.
const (
	checkpointMagic   = "dgplabCP"
	checkpointVersion = 1
	// maxHeader bounds what a loader allocates before the checksum is known to hold.
	maxHeader = 16 << 20
)

// progress is the part of a checkpoint that is not the model's.
type progress struct {
	Step     int           `json:"step"`
	Seconds  float64       `json:"seconds"`
	Rescues  int           `json:"rescues"`
	BestVal  Number        `json:"best_val_log_lik"`
	BestStep int           `json:"best_step"`
	Early    *earlyStopper `json:"early_stopping,omitempty"`
}

// checkpointHeader is the JSON part of a checkpoint.
type checkpointHeader struct {
	Run      string       `json:"run"`
	Progress progress     `json:"progress"`
	Arrays   []arrayShape `json:"arrays"`
}

type arrayShape struct {
	Name string `json:"name"`
	Len  int    `json:"len"`
}

// saveCheckpoint writes the checkpoint of dir, atomically.
func saveCheckpoint(dir string, p progress, arrays []models.Array) error {
	return writeAtomic(dir, checkpointName, func(w io.Writer) error {
		return encodeCheckpoint(w, filepath.Base(dir), p, arrays)
	})
}

func encodeCheckpoint(w io.Writer, run string, p progress, arrays []models.Array) error {
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

// checkpoint is the content of a verified file.
type checkpoint struct {
	checkpointHeader
	values [][]float64
	path   string
}

// readCheckpoint reads and verifies the checkpoint of dir. The error wraps
// fs.ErrNotExist if there is none.
func readCheckpoint(dir string) (*checkpoint, error) {
	path := filepath.Join(dir, checkpointName)
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	header, values, err := decodeCheckpoint(file, info.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &checkpoint{*header, values, path}, nil
}

// restore copies the checkpoint into the arrays of a model. After an error they
// are as before.
func (c *checkpoint) restore(arrays []models.Array) error {
	if err := fits(c.Arrays, arrays); err != nil {
		return fmt.Errorf("%s: %w", c.path, err)
	}
	for i, a := range arrays {
		copy(a.Data, c.values[i])
	}
	return nil
}

// checkpointStep returns the step of the checkpoint of dir without verifying it,
// and -1 if there is none or it is damaged.
func checkpointStep(dir string) int {
	file, err := os.Open(filepath.Join(dir, checkpointName))
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

// decodeCheckpoint reads and verifies a whole checkpoint of size bytes. It
// allocates no more than the size of the file warrants, whatever the header says.
func decodeCheckpoint(r io.Reader, size int64) (*checkpointHeader, [][]float64, error) {
	sum := sha256.New()
	in := io.TeeReader(r, sum)
	header, headerSize, err := decodeHeader(in, size)
	if err != nil {
		return nil, nil, err
	}
	rest := size - headerSize - sha256.Size
	for _, a := range header.Arrays {
		if a.Len < 0 || int64(a.Len) > rest/8 {
			return nil, nil, fmt.Errorf("the file is cut short in array %q", a.Name)
		}
		rest -= 8 * int64(a.Len)
	}
	if rest != 0 {
		return nil, nil, fmt.Errorf("%d bytes too many", rest)
	}
	values := make([][]float64, len(header.Arrays))
	for i, a := range header.Arrays {
		raw := make([]byte, 8*a.Len)
		if _, err := io.ReadFull(in, raw); err != nil {
			return nil, nil, fmt.Errorf("read array %q: %w", a.Name, err)
		}
		values[i] = make([]float64, a.Len)
		for j := range values[i] {
			values[i][j] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*j:]))
		}
	}
	return header, values, verify(r, sum)
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
		return nil, 0, errors.New("the file is cut short in its header")
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(in, text); err != nil {
		return nil, 0, fmt.Errorf("read the header: %w", err)
	}
	header := new(checkpointHeader)
	if err := json.Unmarshal(text, header); err != nil {
		return nil, 0, fmt.Errorf("damaged header: %w", err)
	}
	return header, 16 + n, nil
}

func verify(r io.Reader, sum hash.Hash) error {
	var stored [sha256.Size]byte
	if _, err := io.ReadFull(r, stored[:]); err != nil {
		return fmt.Errorf("read the checksum: %w", err)
	}
	if !bytes.Equal(stored[:], sum.Sum(nil)) {
		return errors.New("the checksum is wrong; the file is damaged")
	}
	return nil
}

// fits checks that a checkpoint holds exactly the arrays of a model.
func fits(have []arrayShape, want []models.Array) error {
	if len(have) != len(want) {
		return fmt.Errorf("it holds %d arrays, the model has %d", len(have), len(want))
	}
	for i, a := range want {
		if have[i].Name != a.Name || have[i].Len != len(a.Data) {
			return fmt.Errorf("it holds %q of length %d where the model has %q of length %d",
				have[i].Name, have[i].Len, a.Name, len(a.Data))
		}
	}
	return nil
}
