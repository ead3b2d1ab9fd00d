package rundir

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dgplab/datasets/table"
	"dgplab/datasets/task"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/viz/golden"
)

// fillerOfFiles returns a filler for the content of run directories.
func fillerOfFiles(seed uint64) *golden.Filler {
	f := golden.NewFiller(seed, "a", "beta", "kl", "95", "steps", "batch", "epochs", "keep", "best", "x y",
		"7", "40", "a,b", `"c`, "Naïve")
	golden.Draw(f, func() float64 {
		x := f.Float()
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return 0 // The JSON form of a plain number is finite.
		}
		return x
	})
	golden.Options(f, StopSteps, StopEarly, StopSettled, StopConverged, StopAsked, StopRung, StopFailed, "")
	golden.Options(f, Rising, Falling, Level, Uncertain)
	golden.Options(f, Improving, Overfitting, Settled, Undecided)
	golden.Options(f, AlarmNonFinite, AlarmFall)
	golden.Options(f, family.Bound, family.LogJoint)
	return f
}

// randomValues returns settings for the length of a run. Some are missing or odd.
func randomValues(f *golden.Filler) models.Values {
	values := models.Values{}
	for _, name := range append(LengthSettings(), KeepSetting) {
		if f.IntN(3) > 0 {
			values[name] = golden.Pick(f, "0", "1", "7", "30", "250", "100000", "best", "1000000000", "")
		}
	}
	return values
}

// randomSummary returns the results of a run.
func randomSummary(f *golden.Filler) *Summary {
	s := new(Summary)
	f.Fill(s)
	s.Seconds, s.StepFLOPs = float64(f.IntN(1e5))/8, float64(f.IntN(1e9))
	s.Values = randomValues(f)
	s.Data.Task = golden.Pick(f, task.Regression, task.Binary, task.Multiclass, task.Count)
	s.Terms = nil
	for i := range s.ObjectiveIs.Terms {
		s.ObjectiveIs.Terms[i].Key = fmt.Sprint("term", i)
		s.Terms = append(s.Terms, Reading{fmt.Sprint("term", golden.Pick(f, i, i, i+1)), f.Float()})
	}
	for i := range s.Hyper {
		s.Hyper[i].Name = fmt.Sprint(s.Hyper[i].Name, i)
	}
	return s
}

// randomPredictions returns the predictions of n points.
func randomPredictions(f *golden.Filler, n int) *Predictions {
	p := &Predictions{N: n, P: golden.Pick(f, 1, 1, 2, 3), Of: n, Near: golden.Pick(f, 20, 30), Training: 30}
	numbers := func(n int) []float64 {
		list := make([]float64, n)
		for i := range list {
			list[i] = f.Float()
		}
		return list
	}
	if f.IntN(4) == 0 {
		p.Training, p.Near = 0, 0
	}
	classes := golden.Pick(f, 0, 0, 2, 3, 4)
	if classes > 0 {
		p.P = 1
		p.Classes = []string{"a", "b", "c", "d"}[:classes]
		p.Probability = numbers(n * p.Columns())
	}
	p.Names = []string{"y", "z, w", "v"}[:p.P]
	for i := range n {
		p.Rows = append(p.Rows, 3*i+f.IntN(3))
	}
	p.LogLik, p.Distance, p.Target = numbers(n), numbers(n), numbers(n*p.P)
	for i := range p.Target {
		switch {
		case f.IntN(4) == 0 || p.P > 1 && i%p.P == 1 && n%2 == 0:
			p.Target[i] = math.NaN()
		case classes == 2:
			p.Target[i] = golden.Pick(f, -1., 1)
		case classes > 2:
			p.Target[i] = float64(f.IntN(classes))
		}
	}
	if classes == 0 {
		p.Mean, p.Variance, p.PIT = numbers(n*p.P), numbers(n*p.P), numbers(n*p.P)
		if p.P > 1 {
			p.LogLikByTarget = numbers(n * p.P)
		}
	}
	return p
}

// damaged returns a text with a random fault.
func damaged(f *golden.Filler, text string) string {
	if text == "" {
		return "x"
	}
	at := f.IntN(len(text))
	switch f.IntN(5) {
	case 0:
		return text[:at]
	case 1:
		return text[:at] + golden.Pick(f, `"`, "{", "}", ",", "0", "null", "\n", "\\", "-1", "é") + text[at:]
	case 2:
		return text[:at] + text[min(len(text), at+1+f.IntN(6)):]
	}
	old := golden.Pick(f, "1", "null", "true", "[", `"step":`, "e", ":", ",", `"a"`, "NaN")
	other := golden.Pick(f, "2", `"x"`, "[]", "{}", "-1", "1e400", "1.5")
	return text[:at] + strings.Replace(text[at:], old, other, 1)
}

// TestRecordedRuns compares everything that is said about random configurations and results with recorded
// checksums. All of them survive JSON.
func TestRecordedRuns(t *testing.T) {
	f := fillerOfFiles(4)
	var sums golden.Sums
	for range 200 {
		s := randomSummary(f)
		text, err := s.AppendJSON([]byte("x"), golden.Pick(f, "", "end"))
		sums.Add("summaries", fmt.Sprintf("%s %v", text, err))
		done, limit := s.Epochs()
		sums.Add("verdicts", fmt.Sprintf("%s %d %q %v %q %q %v %s %.4g %d %d %v %.4g %s %q", s.Stop.Word(),
			s.ExtendedSteps(), s.StillImproving(), s.Conclusive(), s.Verdict(), s.DriftNote(), s.scoresBest(),
			s.Drift.Text("ELBO"), done, limit, s.Batch(), s.Parts(), s.Term("term0"), s.LeaveOneOut.Warning(),
			s.Test.Overflowed()))
		if s.LeaveOneOut != nil {
			sums.Add("verdicts", s.LeaveOneOut.Method())
		}
		if s.Test != nil {
			beta := s.Test.ForOutput("BETA")
			kl := s.Test.ForOutput("kl")
			sums.Add("verdicts", fmt.Sprint(beta != nil, kl == s.Test))
		}
		plain, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var back Summary
		if err := json.Unmarshal(plain, &back); err != nil {
			t.Fatal(err)
		}
		again, err := json.Marshal(&back)
		sums.Add("summaries read", fmt.Sprintf("%s %v", again, err))
		for range 4 {
			var into Summary
			err = json.Unmarshal([]byte(damaged(f, string(plain))), &into)
			sums.Add("damaged summaries", fmt.Sprint(into.Test != nil, into.Terms, into.Hyper))
			if err != nil {
				sums.Add("damaged summaries", jsonError(err).Error())
			}
		}
		p := Point{Step: 1 + f.IntN(9), Seconds: f.Float(), Objective: f.Float(), Rescues: f.IntN(4)}
		p.Readings = append(slices.Clone(s.Terms), Reading{"gauge", f.Float()})
		s.Take(p)
		sums.Add("summaries", fmt.Sprint(s.Step, s.Seconds, s.Objective, s.Rescues, s.Terms))

		var c, other ConfigFile
		f.Fill(&c)
		f.Fill(&other)
		c.Values = randomValues(f)
		c.Data.Task, other.Data.Task = task.Binary, task.Binary
		c.Columns, other.Columns = table.Choices{}, table.Choices{}
		n := golden.Pick(f, 0, 1, 9, 30, 1000)
		sums.Add("lengths", fmt.Sprint(Epochs(c.Values), BatchOf(c.Values, n), StepLimit(c.Values, n),
			RungSteps(n, 1+f.IntN(40))))
		c.Adapt(other.Adapted)
		c.Adapt(c.Adapted)
		text, err = json.Marshal(c)
		sums.Add("configurations", fmt.Sprint(string(text), err, c.Chosen("steps"), c.Chosen("a"),
			c.WarmStart.Text(), c.Adapted, c.Lost, c.Source()))
		sums.Add("configurations", fmt.Sprint(c.Data.Equal(other.Data), c.Data.Equal(c.Data)))
		same := c.Data
		same.Columns = nil
		sums.Add("configurations", fmt.Sprint(c.Data.Equal(same), same.Equal(c.Data)))
		clone := c.Config.Clone()
		clone.Set["new"] = "1"
		if len(clone.Targets) > 0 {
			clone.Targets[0] = "new"
		}
		after, err := json.Marshal(c)
		if err != nil || !bytes.Equal(after, text) {
			t.Fatalf("a clone changes %s to %s, %v", text, after, err)
		}
		info := Info{ConfigFile: c, State: golden.Pick(f, Running, Ended, Interrupted), Summary: s}
		sums.Add("states", fmt.Sprint(info.Status(), info.Extendable()))
		var d Drift
		f.Fill(&d)
		for _, e := range []**Estimate{&d.Validation, &d.Objective, &d.Noise} {
			if f.IntN(2) == 0 {
				*e = nil
			}
		}
		sums.Add("drifts", fmt.Sprint(d.Text("ELBO"), d.Measured(), d.Improving(), d.Overfitting(),
			d.Conclusive()))
		checkFields(f, &sums, c.Config)
		checkNotes(f, &sums)
	}
	sums.Check(t, "runs")
}

// checkFields adds the fields of a configuration, and the results of setting them.
func checkFields(f *golden.Filler, sums *golden.Sums, c Config) {
	names := []string{DatasetField, TargetsField, ColumnsField, SplitField, FamilyField, PresetField,
		SeedField, "steps"}
	for _, name := range names {
		sums.Add("fields", fmt.Sprint(name, c.Field(name), IsField(name)))
		text := golden.Pick(f, "", " a ", `"a b", c`, `a, "b c"`, `"`, "ignore=id,missing=mean", "log=y",
			"default", "7", "-1", "x=")
		err := c.SetField(name, text)
		var wrong *models.ValueError
		sums.Add("fields", fmt.Sprint(text, c.Field(name), err, errors.As(err, &wrong)))
	}
	c.Set = nil
	err := c.SetField("new", "1")
	sums.Add("fields", fmt.Sprint(c.Set, err))
}

// checkNotes adds notes made tidy.
func checkNotes(f *golden.Filler, sums *golden.Sums) {
	word := func() string {
		return golden.Pick(f, "", " a", "b ", "latest", "latest~3", "latest~x", "two words", "a\nb", "a\tb",
			"\x01", "-x", "é", "\xff", "\u202e", "\u2028", `"`, ",", "'", strings.Repeat("é", 40),
			strings.Repeat("x", 41), strings.Repeat("é", 80), strings.Repeat("x", 81),
			strings.Repeat("x", 1<<16), strings.Repeat("x", 1<<16+1))
	}
	notes := Notes{Name: word(), Note: word()}
	for range f.IntN(4) {
		notes.Tags = append(notes.Tags, golden.Pick(f, word(), "a", "b", "c"))
	}
	err := notes.tidy()
	sums.Add("notes", fmt.Sprintf("%.200q %v %v", notes, err, CheckName(word())))
	dataset := golden.Pick(f, "boston", "/a/b.csv", "b.tar.gz", ".hidden", "Ünï çødé--x", "---", "a b  c",
		strings.Repeat("ab-", 12))
	id := newID(Config{Dataset: dataset, Family: "Mean field"}, time.Unix(1e9, 0).UTC())
	sums.Add("IDs", id[:len(id)-6])
}

// randomLine returns a report line. Most are in the form of AppendJSON, some are odd or damaged.
func randomLine(f *golden.Filler, step int) string {
	p := Point{
		Step: step, Seconds: float64(step) / 8, Objective: f.Float(), ValLogLik: f.Float(),
		Rescues: f.IntN(3),
	}
	for i := range f.IntN(3) {
		p.Readings = append(p.Readings, Reading{golden.Pick(f, fmt.Sprint("r", i), "kl", "warm"), f.Float()})
	}
	p.Phase = golden.Pick(f, "", "", "warm", "é")
	text := string(p.AppendJSON(nil, golden.Pick(f, "", "", "", "step")))
	if f.IntN(12) == 0 {
		comma := golden.Pick(f, ", ", " ,", `,"r0":7,`, `,"x":[1,{"a":2}],`, `,"a\"b":"c",`)
		text = strings.ReplaceAll(text, ",", comma)
	}
	if f.IntN(12) == 0 {
		text = damaged(f, text)
	}
	return text
}

// describePoint returns a point as text. Steps and signs of zeros are exact.
func describePoint(p Point, err error) string {
	text := fmt.Sprintf("%s %v %v", p.AppendJSON(nil, ""), math.Signbit(p.Objective), math.IsNaN(p.Seconds))
	if err != nil {
		text += jsonError(err).Error()
	}
	return text
}

// TestRecordedReports compares the reading and the repair of random reports with recorded checksums.
func TestRecordedReports(t *testing.T) {
	f := fillerOfFiles(5)
	var sums golden.Sums
	var parser pointParser
	for range 200 {
		var report strings.Builder
		step := 0
		for range f.IntN(30) {
			step += golden.Pick(f, 1, 1, 10, 10, 0, -3)
			line := randomLine(f, max(step, 0))
			p, ok := parser.parseFast([]byte(line))
			sums.Add("fast parser", fmt.Sprint(describePoint(p, nil), ok))
			sums.Add("parser", describePoint(parser.parse([]byte(line))))
			visitMembers([]byte(line), func(key, value []byte) {
				sums.Add("members", fmt.Sprintf("%s %s", key, value))
			})
			if f.IntN(40) == 0 {
				line = ""
			}
			report.WriteString(line + golden.Pick(f, "\n", "\n", "\n", "\n", "\n", "\n", " \n", "\r\n"))
		}
		text := report.String()
		text = text[:len(text)-min(len(text), golden.Pick(f, 0, 0, 1, 7))]
		n, err := parseLines(strings.NewReader(text), golden.Pick(f, 0, 0, 5), func(p Point, end int64) bool {
			sums.Add("lines", fmt.Sprint(describePoint(p, nil), end))
			return p.Step%17 != 0
		})
		sums.Add("lines", fmt.Sprint(n, err))
		for _, tail := range []int64{50, 200, 4096} {
			p, end, err := lastLine(strings.NewReader(text), int64(len(text)), tail)
			sums.Add("last line", fmt.Sprint(describePoint(p, nil), end, err))
		}
		var sound bytes.Buffer
		last := 0
		err = copySound(&sound, strings.NewReader(text), func(p Point) bool {
			ok := p.Step > last
			last = max(last, p.Step)
			return ok
		})
		sums.Add("repair", fmt.Sprint(sound.String(), err))
	}
	for range 2000 {
		number := golden.Pick(f, "", "-", "+") + golden.Pick(f, "", "0", "7", "10", "01") +
			golden.Pick(f, "", "", ".", ".5", ".0e") +
			golden.Pick(f, "", "", "e", "E5", "e+07", "e-", "e400", "x") + golden.Pick(f, "", ",", "}", "]")
		x, after, ok := parseNumber([]byte(number))
		sums.Add("numbers", fmt.Sprint(number, x, string(after), ok))
		text := golden.Pick(f, `"`, `"`, "a") + golden.Pick(f, "", "a", "~", "\x7f", "é", `\"`, "\n") +
			golden.Pick(f, `"`, "") + ":"
		content, after, ok := parseString([]byte(text))
		sums.Add("strings", fmt.Sprintf("%q %q %q %v", text, content, after, ok))
	}
	sums.Check(t, "reports")
}

// TestRecordedPredictions compares random predictions, their files and damaged files with recorded
// checksums.
func TestRecordedPredictions(t *testing.T) {
	f := fillerOfFiles(6)
	var sums golden.Sums
	path := t.TempDir()
	dir := folder(t, path)
	for range 80 {
		p := randomPredictions(f, golden.Pick(f, 0, 1, 2, 9, 20))
		if err := savePoints(dir, pointsName, "run", 7, p); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(path, pointsName))
		if err != nil {
			t.Fatal(err)
		}
		sums.Add("files", string(text))
		back, err := readPoints(bytes.NewReader(text))
		sums.Add("read", fmt.Sprintf("%+v %v", back, err))
		_, err = readPoints(strings.NewReader(damaged(f, string(text))))
		sums.Add("damaged", fmt.Sprint(err))
		sums.Add("targets", fmt.Sprint(p.Tested(), p.Columns(), p.IsClassification()))
		for i := range p.N {
			class, ok := p.ClassOf(i)
			sums.Add("classes", fmt.Sprint(class, ok))
			if p.IsClassification() {
				sums.Add("classes", fmt.Sprint(p.Probabilities(nil, i)))
			}
		}
		sums.Add("thinned", fmt.Sprintf("%+v", p.Thin(golden.Pick(f, 1, 2, 5, 9, 20))))
	}
	sums.Check(t, "predictions")
}

// A copy of the progress of a run shares no data with it, and checkpoints keep every bit.
func TestRandomCheckpoints(t *testing.T) {
	f := fillerOfFiles(7)
	path := t.TempDir()
	dir := folder(t, path)
	var sums golden.Sums
	for range 60 {
		var p Progress
		f.Fill(&p)
		p.Pending, p.Last = nil, nil
		if f.IntN(2) == 0 {
			p.Last = &Point{Step: 3, Objective: f.Float()}
		}
		if p.Early != nil {
			p.Early.Window = []float64{1, float64(f.IntN(9))}
			p.Early.Steps = []int{f.IntN(9), 2}
			p.Early.Means = []float64{3, float64(f.IntN(9))}
		}
		if p.Kept != nil {
			p.Kept.ValLogLik = 2
			p.Kept.Step = golden.Pick(f, 0, 5, p.Step, p.Step)
			p.Kept.Steps = []int{f.IntN(9), 2}
			p.Kept.Values = []float64{3, float64(f.IntN(9))}
		}
		before, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		clone := p.Clone()
		if clone.Early != nil {
			e := clone.Early
			e.Window[0], e.Steps[0], e.Means[0], e.Every = -1, -1, -1, -1
		}
		if clone.Kept != nil {
			clone.Kept.Steps[0], clone.Kept.Values[0], clone.Kept.Step = -1, -1, -1
		}
		after, err := json.Marshal(p)
		if err != nil || !bytes.Equal(before, after) {
			t.Fatalf("a clone changes %s to %s, %v", before, after, err)
		}
		arrays := []models.Array{{Name: "a", Data: []float64{f.Float(), f.Float()}}, {Name: "b"}}
		kept := []models.Array{{Name: "a", Data: []float64{f.Float(), f.Float()}}, {Name: "b"}}
		if err := saveCheckpoint(dir, "run", p, arrays, kept); err != nil {
			t.Fatal(err)
		}
		c, err := ReadCheckpoint(path)
		if err != nil {
			t.Fatal(err)
		}
		result, step := c.Result()
		sums.Add("checkpoints", fmt.Sprint(c.Run, c.Arrays, result, step, CheckpointStep(path),
			p.keptApart()))
		read, err := json.Marshal(c.Progress)
		if err != nil || !bytes.Equal(read, before) {
			t.Errorf("read %s instead of %s, %v", read, before, err)
		}
		into := []models.Array{{Name: "a", Data: make([]float64, 2)}, {Name: "b"}}
		sums.Add("checkpoints", fmt.Sprint(c.RestoreResult(into), into))
		sums.Add("checkpoints", fmt.Sprint(c.Restore(into), into))
		c.Path = "file"
		wrong := golden.Pick(f, into[:1], []models.Array{into[0], {Name: "c"}},
			[]models.Array{into[1], into[0]}, []models.Array{into[0], {Name: "b", Data: []float64{1}}})
		sums.Add("other models", fmt.Sprint(c.Restore(wrong)))
		text, err := os.ReadFile(filepath.Join(path, checkpointName))
		if err != nil {
			t.Fatal(err)
		}
		bad := bytes.Clone(text)
		switch f.IntN(3) {
		case 0:
			bad[f.IntN(len(bad))] ^= 1 << f.IntN(8)
		case 1:
			bad = bad[:f.IntN(len(bad))]
		case 2:
			bad = append(bad, 0)
		}
		_, err = decodeCheckpoint(bytes.NewReader(bad), int64(len(bad)))
		sums.Add("damaged", fmt.Sprint(err))
	}
	sums.Check(t, "checkpoints")
}

// TestRecordedFolders lists folders with random files and finds runs in them. It compares the results with
// recorded checksums.
func TestRecordedFolders(t *testing.T) {
	f := fillerOfFiles(8)
	var sums golden.Sums
	for range 6 {
		root := t.TempDir()
		t.Setenv("DGPLAB_RUNS", root)
		plain := func(values ...any) string {
			return strings.ReplaceAll(fmt.Sprint(values...), root, "ROOT")
		}
		var ids []string
		for i := range 12 {
			id := fmt.Sprintf("2025010%d-00000%d-a%d", 1+i/5, i%5, f.IntN(10))
			if f.IntN(8) == 0 {
				id = golden.Pick(f, "short", "a b", "2025")
			}
			ids = append(ids, id)
			randomFolder(f, id, filepath.Join(root, id))
		}
		if err := os.MkdirAll(filepath.Join(root, trashName), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(root, ids[3]), filepath.Join(root, trashName, ids[3])); err != nil {
			t.Fatal(err)
		}
		list, err := List()
		sums.Add("list", fmt.Sprint(len(list), err))
		for _, info := range list {
			checkInfo(&sums, info, plain)
		}
		trashed, err := Trashed()
		sums.Add("trash", plain(len(trashed), err))
		for _, info := range trashed {
			checkInfo(&sums, info, plain)
		}
		newest, all, err := new(Lister).Newest(4)
		for _, info := range newest {
			sums.Add("newest", info.ID)
		}
		sums.Add("newest", fmt.Sprint(all, err))
		dirs, err := Dirs()
		sums.Add("list", plain(dirs, err))
		for range 60 {
			id := golden.Pick(f, golden.Pick(f, ids...), "latest", "latest~1", "latest~11", "latest~12",
				"latest~x", "", " ", "a", "beta", "2", "20250101", "20250102-0", "./"+ids[0], root+"/"+ids[1],
				root, ".trash", "short")
			info, err := Find(id)
			outside, failed := FindReadOnly(id)
			sums.Add("find", plain(id, info.ID, err, errors.Is(err, ErrNoRun), outside.ID, failed))
		}
	}
	sums.Check(t, "folders")
}

// randomFolder writes a run directory. Some of its files are missing or damaged.
func randomFolder(f *golden.Filler, id, path string) {
	if err := os.MkdirAll(path, 0o755); err != nil {
		panic(err)
	}
	write := func(name string, value any) {
		text, err := json.Marshal(value)
		if err != nil {
			panic(err)
		}
		put := string(text)
		switch f.IntN(12) {
		case 0:
			return
		case 1:
			put = damaged(f, put)
		}
		if err := os.WriteFile(filepath.Join(path, name), []byte(put), 0o644); err != nil {
			panic(err)
		}
	}
	s := randomSummary(f)
	config := ConfigFile{
		Format: golden.Pick(f, 1, 1, 1, 1, 1, 2), ID: "other", Values: randomValues(f), Config: s.Config,
		Created: time.Date(2025, 1, 1, f.IntN(3), f.IntN(2), 0, 0, time.UTC), Data: s.Data,
		ObjectiveIs: golden.Pick(f, elbo, elbo, elbo, elbo, family.Objective{}),
	}
	config.Columns = table.Choices{}
	if f.IntN(3) == 0 {
		config.Values["likelihood"] = "argmax"
		config.Data.Task = golden.Pick(f, task.Multiclass, task.Regression)
	}
	write(configName, config)
	s.Format = golden.Pick(f, 1, 1, 1, 1, 2)
	s.Columns = table.Choices{}
	if f.IntN(2) == 0 {
		write(summaryName, s)
	}
	if f.IntN(2) == 0 {
		notes := Notes{Name: golden.Pick(f, "a", "beta", "c"), Tags: []string{id}}
		write(notesName, notesFile{golden.Pick(f, 1, 1, 1, 2), notes})
	}
	if f.IntN(2) == 0 {
		format := golden.Pick(f, 1, 1, 1, 2)
		write(diagnosticsName, map[string]any{"format": format, "step": f.IntN(9), "seconds": nil})
	}
	var report strings.Builder
	for step := range f.IntN(8) {
		line := string(Point{Step: 1 + step, Objective: f.Float(), Seconds: 1}.AppendJSON(nil, ""))
		if f.IntN(20) == 0 {
			line = damaged(f, line)
		}
		report.WriteString(line + "\n")
	}
	text := report.String()
	text = text[:len(text)-f.IntN(2)*min(len(text), 4)]
	if err := os.WriteFile(filepath.Join(path, metricsName), []byte(text), 0o644); err != nil {
		panic(err)
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		panic(err)
	}
	for _, e := range entries {
		written := time.Unix(1.7e9+int64(f.IntN(1e6)), 0)
		if err := os.Chtimes(filepath.Join(path, e.Name()), written, written); err != nil {
			panic(err)
		}
	}
}

// checkInfo adds the fields of a run, its texts and its notes.
func checkInfo(sums *golden.Sums, info Info, plain func(...any) string) {
	info.Created = info.Created.UTC() // The creation of a broken run is the time of a file.
	config, err := json.Marshal(info.ConfigFile)
	sums.Add("configurations", plain(string(config), err))
	summary, err := json.Marshal([]any{info.Summary, info.SoFar})
	sums.Add("summaries", plain(string(summary), err))
	sums.Add("states", plain(info.ID, info.Dir, info.State, info.Err, info.Notes, info.NotesErr, info.Step,
		info.Steps, info.Resumable, info.Status(), info.Extendable(), CheckpointStep(info.Dir)))
	d, err := info.Diagnostics()
	sums.Add("diagnostics", plain(d != nil, err))
	_, err = info.Predictions()
	_, left := info.LeftOut()
	sums.Add("predictions", plain(err, left))
	end, err := ReadPoints(info.Dir, func(p Point) bool { return p.Step < 6 }, func(p Point) {
		sums.Add("points", describePoint(p, nil))
	})
	sums.Add("points", plain(end, err))
	points, restarted, err := Follow(info.Dir).Next()
	sums.Add("points", plain(len(points), restarted, err))
}

// TestRandomReportFaults compares the report of a writer whose file others change at random with recorded
// checksums.
func TestRandomReportFaults(t *testing.T) {
	f := fillerOfFiles(9)
	var sums golden.Sums
	for range 30 {
		w := writing(t)
		path := filepath.Join(w.Dir(), metricsName)
		follower := Follow(w.Dir())
		plain := func(values ...any) string {
			return strings.ReplaceAll(fmt.Sprint(values...), w.Dir(), "DIR")
		}
		step := 3
		for range 15 {
			text, _ := os.ReadFile(path)
			switch f.IntN(9) {
			case 0:
				sums.Add("sync", plain(w.Sync()))
			case 1:
				sums.Add("others", plain(os.Truncate(path, int64(f.IntN(len(text)+1)))))
			case 2:
				more := golden.Pick(f, "x", "{}\n", "{\"step\":99}\n")
				sums.Add("others", plain(os.WriteFile(path, append(text, more...), 0o644)))
			case 3:
				if f.IntN(3) == 0 {
					sums.Add("others", plain(os.Remove(path)))
				}
			default:
				step += golden.Pick(f, 0, 1, 1, 10)
				p := Point{Step: step, Objective: f.Float(), ValLogLik: math.NaN()}
				sums.Add("append", plain(w.Append(p)))
			}
			text, _ = os.ReadFile(path)
			sums.Add("text", string(text))
			sums.Add("notices", plain(w.TakeNotices(), w.Lost()))
			points, restarted, err := follower.Next()
			sums.Add("followed", plain(len(points), restarted, err))
		}
		sums.Add("sync", plain(w.Sync(), w.TakeNotices(), w.CloseLog()))
		text, _ := os.ReadFile(path)
		sums.Add("text", string(text))
	}
	sums.Check(t, "reportfaults")
}
