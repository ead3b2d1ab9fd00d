package rundir

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"dgplab/datasets/files"
)

// pointsVersion is the format of test_points.csv.
const pointsVersion = 1

// pointsHead is the first line of test_points.csv after "# ".
type pointsHead struct {
	Format   int      `json:"format"`
	ID       string   `json:"id"`
	Step     int      `json:"step"`
	Points   int      `json:"points"`
	Targets  int      `json:"targets"`
	Classes  bool     `json:"classes"`
	Training int      `json:"training"`
	Near     int      `json:"near"`
	Names    []string `json:"names,omitempty"`
	// Marginal is true if the file has the log-likelihoods of individual targets. It has them for several
	// real targets.
	Marginal bool `json:"marginal,omitempty"`
	// ClassNames holds the names of the classes in the order of their codes.
	ClassNames []string `json:"class_names,omitempty"`
}

// columns returns the names of the columns.
func (h pointsHead) columns() []string {
	names := []string{"row", "log_lik", "distance"}
	if h.Classes {
		names = append(names, "target")
		if len(h.ClassNames) <= 2 {
			return append(names, "probability")
		}
		for k := range h.ClassNames {
			names = append(names, "probability_"+strconv.Itoa(k))
		}
		return names
	}
	for k := range h.Targets {
		suffix := ""
		if h.Targets > 1 {
			suffix = "_" + strconv.Itoa(k+1)
		}
		names = append(names, "target"+suffix, "mean"+suffix, "variance"+suffix, "pit"+suffix)
		if h.Marginal {
			names = append(names, "log_lik"+suffix)
		}
	}
	return names
}

// savePoints writes test_points.csv or loo_points.csv: a line of JSON and a line of text, both starting
// with "#", the column names, and one row per point.
func savePoints(dir files.Dir, name, id string, step int, p *Predictions) error {
	return files.Replace(dir, name, func(w io.Writer) error {
		head := pointsHead{pointsVersion, id, step, p.N, p.P, p.IsClassification(),
			p.Training, p.Near, p.Names,
			p.LogLikByTarget != nil, p.Classes}
		text, err := json.Marshal(head)
		if err != nil {
			return err
		}
		text = fmt.Appendf([]byte("# "), "%s\n# %s\n", text, p.distanceNote())
		for i, name := range head.columns() {
			if i > 0 {
				text = append(text, ',')
			}
			text = append(text, name...)
		}
		text = append(text, '\n')
		for i := range p.N {
			text = p.appendRow(text, i)
			if len(text) > 1<<15 {
				if _, err := w.Write(text); err != nil {
					return err
				}
				text = text[:0]
			}
		}
		_, err = w.Write(text)
		return err
	})
}

// distanceNote describes the distances in a line.
func (p *Predictions) distanceNote() string {
	if p.Training == 0 {
		return "original units; every training point is predicted from all others"
	}
	const what = "original units, except the distance: Euclidean in standardised inputs to the nearest of "
	if p.Near < p.Training {
		return fmt.Sprintf("%sa sample of %d of the %d training inputs (an upper bound)",
			what, p.Near, p.Training)
	}
	return fmt.Sprintf("%sthe %d training inputs", what, p.Training)
}

// appendRow appends the row of point i.
func (p *Predictions) appendRow(text []byte, i int) []byte {
	text = strconv.AppendInt(text, int64(p.Rows[i]), 10)
	add := func(v float64) { text = strconv.AppendFloat(append(text, ','), v, 'g', -1, 64) }
	add(p.LogLik[i])
	add(p.Distance[i])
	if p.IsClassification() {
		add(p.Target[i])
		for _, v := range p.Probability[i*p.Columns() : (i+1)*p.Columns()] {
			add(v)
		}
		return append(text, '\n')
	}
	for k := i * p.P; k < (i+1)*p.P; k++ {
		add(p.Target[k])
		add(p.Mean[k])
		add(p.Variance[k])
		add(p.PIT[k])
		if p.LogLikByTarget != nil {
			add(p.LogLikByTarget[k])
		}
	}
	return append(text, '\n')
}

// Predictions reads the predictions of the test points. It returns an error if the file is missing because
// the run was not evaluated.
func (i Info) Predictions() (*Predictions, error) {
	return i.readPoints(pointsName, "it was not evaluated on its test set")
}

// LeftOut reads the leave-one-out predictions of the run. It returns an error if there are none.
func (i Info) LeftOut() (*Predictions, error) {
	return i.readPoints(leftOutName, "it has no leave-one-out predictions")
}

// readPoints reads a file of predictions. missing explains why there is none.
func (i Info) readPoints(name, missing string) (*Predictions, error) {
	if i.Packed != nil {
		return nil, fmt.Errorf("%s is a packed model and has no %s", i.Dir, name)
	}
	path := filepath.Join(i.Dir, name)
	file, err := files.Open(files.OS, path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s has no %s: %s", i.ID, name, missing)
		}
		return nil, err
	}
	defer file.Close()
	p, err := readPoints(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// readPoints reads the output of savePoints.
func readPoints(r io.Reader) (*Predictions, error) {
	buffered := bufio.NewReader(&lineLimiter{Reader: r})
	first, err := buffered.ReadBytes('\n')
	switch {
	case errors.Is(err, errLongLine):
		return nil, err
	case err != nil:
		return nil, errors.New("incomplete first line")
	}
	var head pointsHead
	if err := json.Unmarshal(bytes.TrimPrefix(first, []byte("# ")), &head); err != nil {
		return nil, fmt.Errorf("line 1: %w", jsonError(err))
	}
	if head.Format != pointsVersion {
		return nil, fmt.Errorf("format %d; this program reads format %d", head.Format, pointsVersion)
	}
	if head.Points < 0 || head.Targets < 1 || head.Targets > maxLine || head.Classes && head.Targets != 1 {
		return nil, fmt.Errorf("line 1: invalid number of points (%d) or targets (%d)",
			head.Points, head.Targets)
	}
	switch {
	case len(head.Names) != head.Targets:
		return nil, fmt.Errorf("line 1: %d names for %d targets", len(head.Names), head.Targets)
	case head.Classes && len(head.ClassNames) < 2:
		return nil, fmt.Errorf("line 1: classes with only %d names", len(head.ClassNames))
	case head.Marginal == (head.Classes || head.Targets == 1):
		return nil, fmt.Errorf("line 1: marginal is %v with %d targets", head.Marginal, head.Targets)
	}
	// The first line is a comment. The reader gets it too, so that errors give the right line numbers.
	lines := csv.NewReader(io.MultiReader(bytes.NewReader(first), buffered))
	lines.Comment, lines.ReuseRecord = '#', true
	columns := head.columns()
	names, err := lines.Read()
	switch {
	case err != nil:
		return nil, fmt.Errorf("read the column names: %w", err)
	case !slices.Equal(names, columns):
		return nil, fmt.Errorf("the columns are %.200q, not %.200q",
			strings.Join(names, ","), strings.Join(columns, ","))
	}
	p := &Predictions{
		P:        head.Targets,
		Names:    head.Names,
		Of:       head.Points,
		Near:     head.Near,
		Training: head.Training,
	}
	if head.Classes {
		p.Probability, p.Classes = []float64{}, head.ClassNames
	}
	if head.Marginal {
		p.LogLikByTarget = []float64{}
	}
	for {
		fields, err := lines.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err // The error contains the line number.
		}
		if err := p.parseRow(fields); err != nil {
			line, _ := lines.FieldPos(0)
			return nil, fmt.Errorf("line %d: %w", line, files.Brief(err))
		}
	}
	if p.N != head.Points {
		return nil, fmt.Errorf("%d points instead of %d as in the first line", p.N, head.Points)
	}
	return p, nil
}

// parseRow adds the point of a row.
func (p *Predictions) parseRow(fields []string) error {
	row, err := strconv.Atoi(fields[0])
	if err != nil {
		return err
	}
	p.N++
	p.Rows = append(p.Rows, row)
	into := []*[]float64{&p.LogLik, &p.Distance}
	switch {
	case p.IsClassification():
		into = append(into, &p.Target)
		for range p.Columns() {
			into = append(into, &p.Probability)
		}
	default:
		for range p.P {
			into = append(into, &p.Target, &p.Mean, &p.Variance, &p.PIT)
			if p.LogLikByTarget != nil {
				into = append(into, &p.LogLikByTarget)
			}
		}
	}
	for k, text := range fields[1:] {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return err
		}
		*into[k] = append(*into[k], v)
	}
	return nil
}
