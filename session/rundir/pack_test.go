package rundir

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/models"
)

// smallPack returns a packed model of two rows of a built-in data set.
func smallPack(t testing.TB) *Pack {
	t.Helper()
	ds, err := datasets.Load(t.Context(), datasets.Source{Name: "steps"})
	if err != nil {
		t.Fatal(err)
	}
	prepared, err := datasets.Prepare(ds, datasets.DefaultSplit(ds), 0.1, 1)
	if err != nil {
		t.Fatal(err)
	}
	prepared.Train = datasets.Part{
		X: mat.NewDense(2, 1, []float64{-1, 1}), Y: mat.NewDense(2, 1, []float64{0.5, 0}),
		Targets: mat.NewDense(2, 1, []float64{3, 4}),
	}
	packed := &Pack{
		Program: "dgplab test",
		Config: &ConfigFile{
			Format: configVersion, ID: "20250131-142501-steps-mf-abcdef",
			Config: Config{Dataset: "steps", Family: "mf"}, Values: models.Values{"a": "1"},
			ObjectiveIs: elbo, Data: DataFacts{N: 2, D: 1, P: 1},
		},
		Checkpoint: &Checkpoint{
			Run: "20250131-142501-steps-mf-abcdef", Progress: Progress{Step: 3},
			Arrays: []models.Array{{Name: "w", Data: []float64{1, 2, 3}}},
		},
		Data:  datasets.Pack(ds, prepared),
		Train: prepared.Train,
	}
	return packed
}

// packText returns the file of a packed model.
func packText(t testing.TB, p *Pack) []byte {
	t.Helper()
	var text bytes.Buffer
	if err := p.Write(&text); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

// A packed model that is read equals the one that was written.
func TestPackComesBack(t *testing.T) {
	want := smallPack(t)
	path := filepath.Join(t.TempDir(), "a.dgp")
	if err := os.WriteFile(path, packText(t, want), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := OpenPack(path)
	if err != nil {
		t.Fatal(err)
	}
	got.Checkpoint.Path = ""
	got.Config.Set = nil
	if !reflect.DeepEqual(got.Checkpoint, want.Checkpoint) || !reflect.DeepEqual(got.Config, want.Config) ||
		!mat.Equal(got.Train.X, want.Train.X) || !mat.Equal(got.Train.Y, want.Train.Y) ||
		!mat.Equal(got.Train.Targets, want.Train.Targets) || !reflect.DeepEqual(got.Data, want.Data) {
		t.Errorf("read %+v\nwritten %+v", got, want)
	}
	if again := packText(t, got); !bytes.Equal(again, packText(t, want)) {
		t.Error("the same model gives other bytes")
	}
	bare := smallPack(t)
	bare.Train = datasets.Part{}
	if err := os.WriteFile(path, packText(t, bare), 0o644); err != nil {
		t.Fatal(err)
	}
	info, err := FindModel(path)
	if err != nil || !info.WithoutData() || info.Step != 3 || info.Resumable || info.Dir != path {
		t.Errorf("without data: %+v, %v", info, err)
	}
}

// A packed model that is damaged or that nobody wrote is refused in one line, and nothing beside it changes.
func TestHostilePacksAreRefused(t *testing.T) {
	whole := packText(t, smallPack(t))
	// members writes the members of a packed model after a change, with a manifest that agrees unless seal is
	// false.
	members := func(change func(m map[string]string), method uint16, seal bool) []byte {
		m := map[string]string{}
		in, err := zip.NewReader(bytes.NewReader(whole), int64(len(whole)))
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range in.File {
			file, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			var text bytes.Buffer
			if _, err := text.ReadFrom(file); err != nil {
				t.Fatal(err)
			}
			m[f.Name] = text.String()
			names = append(names, f.Name)
		}
		change(m)
		if seal {
			var head manifest
			if err := json.Unmarshal([]byte(m[manifestName]), &head); err != nil {
				t.Fatal(err)
			}
			head.Members = nil
			for _, name := range names[1:] {
				if text, has := m[name]; has {
					sum := sha256.Sum256([]byte(text))
					head.Members = append(head.Members,
						memberFacts{name, int64(len(text)), hex.EncodeToString(sum[:])})
				}
			}
			text, err := json.Marshal(head)
			if err != nil {
				t.Fatal(err)
			}
			m[manifestName] = string(text)
		}
		var out bytes.Buffer
		z := zip.NewWriter(&out)
		for name := range m {
			if !strings.Contains(strings.Join(names, " "), name) {
				names = append(names, name)
			}
		}
		for _, name := range names {
			text, has := m[name]
			if !has {
				continue
			}
			w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
			if err == nil {
				_, err = w.Write([]byte(text))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	edit := func(name, old, text string) []byte {
		return members(func(m map[string]string) {
			if !strings.Contains(m[name], old) {
				t.Fatalf("%s does not contain %s:\n%s", name, old, m[name])
			}
			m[name] = strings.ReplaceAll(m[name], old, text)
		}, zip.Store, true)
	}
	put := func(name, text string) []byte {
		return members(func(m map[string]string) { m[name] = text }, zip.Store, true)
	}
	without := func(name string) []byte {
		return members(func(m map[string]string) { delete(m, name) }, zip.Store, true)
	}
	flipped := bytes.Clone(whole)
	flipped[bytes.Index(whole, []byte(checkpointMagic))+40] ^= 1
	bomb := members(func(m map[string]string) {
		m[rowsName] = strings.Repeat("\x00", 50<<20)
	}, zip.Deflate, true)
	unlisted := members(func(m map[string]string) { delete(m, manifestName) }, zip.Store, false)
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"empty":                 {nil, "not a packed model"},
		"text":                  {[]byte("a,b\n1,2\n"), "not a packed model"},
		"truncated":             {whole[:len(whole)-30], "not a packed model"},
		"half":                  {whole[:len(whole)/2], "not a packed model"},
		"a flipped bit":         {flipped, "damaged"},
		"a bomb":                {bomb, "is compressed or larger than the file"},
		"a path upwards":        {put("../../evil", "x"), `unexpected or repeated member "../../evil"`},
		"an absolute path":      {put("/etc/passwd", "x"), `unexpected or repeated member "/etc/passwd"`},
		"a name with a newline": {put("a\nb", "x"), `unexpected or repeated member "a\nb"`},
		"a newer version": {edit(manifestName, `"format": 1`, `"format": 2`),
			"format 2 of packed models, written by \"dgplab test\"; this program reads format 1"},
		"another checksum": {members(func(m map[string]string) { m[configName] += " " }, zip.Store, false),
			"another checksum"},
		"no checkpoint": {without(checkpointName), "the member checkpoint is missing"},
		"no manifest":   {unlisted, "no manifest.json"},
		"not JSON":      {put(configName, "{"), "config.json: unexpected end of JSON input"},
		"a huge count":  {edit(dataName, `"rows":2`, `"rows":4611686018427387905`), "does not belong to"},
		"huge counts": {members(func(m map[string]string) {
			m[dataName] = strings.ReplaceAll(m[dataName], `"rows":2`, `"rows":1152921504606846977`)
			m[configName] = strings.ReplaceAll(m[configName], `"n":2`, `"n":1152921504606846977`)
		}, zip.Store, true), "rows: 48 bytes for 1152921504606846977 rows"},
		"other data": {edit(configName, `"d":1`, `"d":2`), "data.json does not belong to config.json"},
		"a missing scale": {edit(dataName, `"TargetSD":[`, `"TargetSD":[1,`),
			"the scaling has another number"},
		"a negative scale":  {edit(dataName, `"TargetSD":[`, `"TargetSD":[-`), "a scale is not positive"},
		"a column too many": {edit(dataName, `"inputs":[0]`, `"inputs":[0,7]`), "no column 7"},
		"a column twice":    {edit(dataName, `"inputs":[0]`, `"inputs":[1]`), "uses it twice"},
		"an unknown kind":   {edit(dataName, `"kind":"number"`, `"kind":"monster"`), "unknown kind"},
		"NaN as an input": {members(func(m map[string]string) {
			m[rowsName] = strings.Repeat("\xff", len(m[rowsName]))
		}, zip.Store, true), "an input is not finite"},
		"another run": {edit(configName, "20250131-142501-steps-mf-abcdef", "other"),
			"checkpoint belongs to another run than config.json"},
		"an ID that leads away": {edit(configName, "20250131-142501-steps-mf-abcdef", "../x"),
			"not a run ID"},
		"a checkpoint of nothing": {put(checkpointName, checkpointMagic), "checkpoint: not a checkpoint"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "a.dgp")
			if err := os.WriteFile(path, c.file, 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := FindModel(path)
			if err == nil || !strings.Contains(err.Error(), c.want) ||
				!strings.HasPrefix(err.Error(), path+": ") {
				t.Fatalf("%v; want %s", err, c.want)
			}
			checkOneLine(t, err)
			if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
				t.Errorf("the folder has %v (%v)", list, err)
			}
		})
	}
	if _, err := FindModel(filepath.Join(t.TempDir(), "none.dgp")); err == nil ||
		!strings.Contains(err.Error(), "no such packed model") {
		t.Error(err)
	}
	if _, err := FindModel(t.TempDir() + "/../" + "x.dgp"); err == nil {
		t.Error("a file that is not there is read")
	}
	folder := filepath.Join(t.TempDir(), "folder.dgp")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := FindModel(folder); err == nil || !strings.Contains(err.Error(), "a folder, not a file") {
		t.Error(err)
	}
}

// Whatever the bytes of a packed model, reading them returns, with an error of one line or a model that can
// be written again.
func FuzzPack(f *testing.F) {
	whole := packText(f, smallPack(f))
	f.Add(whole)
	f.Add(whole[:100])
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := readPack(bytes.NewReader(text), int64(len(text)), "a.dgp")
		if err != nil {
			checkOneLine(t, err)
			return
		}
		again := packText(t, p)
		if _, err := readPack(bytes.NewReader(again), int64(len(again)), "a.dgp"); err != nil {
			t.Error(err)
		}
	})
}
