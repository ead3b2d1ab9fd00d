package cli

import (
	"os"
	"testing"
)

// An invalid command line fails with a one-line error that names the invalid part and suggests a remedy. It
// creates no files.
func TestFailures(t *testing.T) {
	isolate(t)
	for _, f := range []failure{
		{"--start now", statusUsage, `unknown command: "now"`},
		{"--frame-rate 61", statusUsage, "bad value: --frame-rate=61; want a number from 1 to 60"},
		{"--family stars", statusUsage, `unknown family: "stars"; did you mean star?`},

		{"bench star", statusUsage, `unexpected argument: "star"`},
		{"bench --batch 0", statusUsage, "bad value: --batch=0: want a whole number from 1 to 65536"},
		{"bench --inputs 0", statusUsage, "bad value: --inputs=0: want a whole number from 1 to 1000"},
		{"bench --inducing 32;64", statusUsage,
			"bad value: --inducing=32;64; want whole numbers separated by commas"},
		{"bench --rows 0", statusUsage, "bad value: --rows=0: want a whole number from 1 to 1e+07"},
		{"bench --seconds 0", statusUsage, "bad value: --seconds=0: want a number above 0, at most 3600"},
		{"bench --family svgp --set speed=1", statusUsage,
			"bad value: --set speed: unknown hyperparameter; known ones are inducing, kernel, lengthscale,"},
		{"bench --width 65", statusUsage,
			"bad value: --width=65: want whole numbers from 1 to 64, separated by commas"},
		{"bench --layers ,", statusUsage, "bad value: --layers: want at least one"},
		{"bench --family ,", statusUsage, "bad value: --family: want at least one"},
		{"bench --inducing 32,0", statusUsage,
			"bad value: --inducing=0: want whole numbers from 1 to 4096, separated by commas"},
		{"bench --seconds long", statusUsage, "bad value: --seconds=long; want a number"},
		{"bench --inducing 4 --set inducing=8", statusUsage, "bad value: --inducing: given twice"},
		{"bench --family star,fully-copled", statusUsage,
			`unknown family: "fully-copled"; did you mean fully-coupled? (see dgplab bench --help)`},

		{"completion", statusUsage, "missing argument: want one of bash, zsh, fish, powershell"},
		{"completion zsh bash", statusUsage,
			`unexpected argument: "bash" (see dgplab completion zsh --help)`},
		{"completion zsh1", statusUsage, `unknown command: "zsh1"; did you mean zsh?`},

		{"datasets fech", statusUsage, `unknown command: "fech"; did you mean fetch?`},
		{"datasets show no/such.csv", statusUsage, "unknown data set: no such file: no/such.csv"},
		{"datasets show", statusUsage, "want one data set, not 0 (see dgplab datasets show --help)"},
		{"datasets show boton", statusUsage, `unknown data set: "boton"; did you mean boston?`},
		{"datasets fetch", statusUsage, "missing argument: want names of data sets, or all"},
		{"datasets fetch boton", statusUsage, `unknown data set: "boton"; did you mean boston?`},

		{"export", statusUsage, "want at least 1 run ID, not 0"},
		{"export 2025", statusUsage, `no run "2025" in $DGPLAB_RUNS (see dgplab runs)`},
		{"export 2025 --figure fit,covariances", statusUsage,
			`unknown figure: "covariances"; did you mean covariance? (see dgplab export --help)`},
		{"export 2025 --figure picture", statusUsage,
			`unknown figure: "picture"; known ones are objective, validation, covariance,`},
		{"export 2025 --format gif", statusUsage,
			`unknown format: "gif"; known ones are svg, png, pdf, csv, npz`},

		{"families star chain", statusUsage, `unexpected argument: "chain"; want one family`},
		{"families fully-copled", statusUsage, `unknown family: "fully-copled"; did you mean fully-coupled?`},

		{"help nothing", statusUsage, `unknown command: "nothing"`},
		{"help runs shwo", statusUsage, `unknown command: "shwo"; did you mean show?`},

		{"predict 2025 new.csv --draws -1", statusUsage, "bad value: --draws=-1; want 0 to 1000"},
		{"predict 2025 new.csv --quantiles 5,median", statusUsage,
			"bad value: --quantiles=5,median: want percentages between 0 and 100, such as 2.5,50,97.5"},
		{"predict 2025 new.csv --unknown drop", statusUsage,
			"bad value: --unknown=drop; want error or ignore"},
		{"predict", statusUsage, "want 2 arguments, a run and a file, not 0 arguments"},
		{"predict 2025 new.csv", statusUsage, `no run "2025" in $DGPLAB_RUNS`},

		{"reproduce meng2024/table2 --splits 3..1", statusUsage,
			`bad value: --splits: "3..1": the last number is less than the first`},
		{"reproduce wilson2012/jura --file x.toml", statusUsage,
			"--file cannot be used with the experiment wilson2012/jura"},
		{"reproduce wilson2012/jura --budget=-2h", statusUsage,
			"bad value: --budget=-2h0m0s; want a time such as 2h"},
		{"reproduce --csv", statusUsage, "--csv needs an experiment"},
		{"reproduce --only boston", statusUsage, "--only needs an experiment"},
		{"reproduce wilson2012/jura --jobs 0", statusUsage,
			"bad value: --jobs=0; want a whole number from 1"},
		{"reproduce meng2024/table2 --only latters", statusUsage,
			`meng2024/table2 has no data set "latters"; did you mean letters?`},
		{"reproduce --file no/such.toml", statusFailed, "open no/such.toml: no such file or directory"},
		{"reproduce meng2024/table2 --splits 7", statusUsage,
			"meng2024/table2 has no split 7; its splits are random811:0..4"},
		{"reproduce wilson2012/jura --on none", statusUsage,
			"bad value: --on=none; want local, slurm or slurm.PROFILE"},
		{"reproduce wilson2012/jura --only jura", statusUsage,
			"jura is not downloaded; run: dgplab datasets fetch jura"},
		{"reproduce wilson2012/jura --set inducing=32", statusUsage,
			"bad value: --set inducing=32: no method of wilson2012/jura has this setting"},
		{"reproduce wilson2012/jura --set gprn", statusUsage, `bad value: --set "gprn": want name=values`},
		{"reproduce wilson2012/jura --cpus 2", statusUsage, "--cpus needs --on slurm"},
		{"reproduce lindinger2020/table1 meng2024/table2", statusUsage,
			`unexpected argument: "meng2024/table2"; want one experiment`},
		{"reproduce lindinger2020/tabel1", statusUsage,
			`unknown experiment "lindinger2020/tabel1"; did you mean lindinger2020/table1?`},
		{"reproduce lindinger", statusUsage,
			`unknown experiment "lindinger"; did you mean one of lindinger2020/`},

		{"runs star step>many", statusUsage, "bad query: step>many: want a number, at character 11"},
		{"runs delete", statusUsage, "want at least 1 run ID, not 0"},
		{"runs delete 2025", statusUsage, `no run "2025" in $DGPLAB_RUNS`},
		{"runs diff 2025", statusUsage, "want at least 2 run IDs, not 1"},
		{"runs rename 2025 small steps", statusUsage, "want ID NAME, not 3 arguments"},
		{"runs restore 2025", statusUsage, `no run "2025" in $DGPLAB_RUNS/.trash`},
		{"runs show latest~1", statusUsage, "there are 0 runs in $DGPLAB_RUNS, too few for latest~1"},
		{"runs show", statusUsage, "want one run ID, not 0"},
		{"runs show 2025", statusUsage, `no run "2025" in $DGPLAB_RUNS`},
		{"runs tag 2025", statusUsage, "want ID TAG..., not 1 argument"},
		{"runs tag 2025 paper", statusUsage, `no run "2025" in $DGPLAB_RUNS`},
		{"runs famly:star", statusUsage,
			`bad query: unknown field "famly", at character 1; did you mean family?`},
		{"runs --sort rsme", statusUsage, `bad --sort: unknown field "rsme"; did you mean rmse?`},

		{"something", statusUsage, `unknown command: "something"`},

		{"suggest 2025 --candidates lhs:many", statusUsage,
			"bad value: --candidates=lhs:many; want a file or lhs:N"},
		{"suggest 2025 --count 0", statusUsage, "bad value: --count=0; want 1 to 100"},
		{"suggest 2025 --criterion imsee", statusUsage, `unknown criterion: "imsee"; did you mean imse?`},
		{"suggest 2025 --goal best", statusUsage, `unknown goal: "best"; known ones are minimum, maximum`},
		{"suggest", statusUsage, "want one run, not 0"},
		{"suggest 2025", statusUsage, `no run "2025" in $DGPLAB_RUNS`},

		{"sweep shw", statusUsage, `unknown command: "shw"; did you mean show?`},
		{"sweep --jobs 0", statusUsage, "bad value: --jobs=0; want a whole number from 1"},
		{"sweep --name a/b", statusUsage,
			`bad value: --name: invalid sweep name "a/b"; want 1 to 64 letters, digits, _, - or ` +
				`dots, not starting with a dot or -`},
		{"sweep --set inducing=9..1", statusUsage,
			`bad value: --set "9..1": the last number is less than the first`},
		{"sweep --seed 0..x", statusUsage, `bad value: --seed: "0..x": want FIRST..LAST with whole numbers`},
		{"sweep --split half", statusUsage,
			`split "half": want standard:K, interpolation:SEED, stratified:SEED, random811:SEED, ` +
				`extrapolation:SEED, lindinger:SEED, outputs:TARGET:K, group:COLUMN:SEED, time:COLUMN:GAP, ` +
				`column:NAME or rows:FILE`},
		{"sweep --dataset steps --set layers=3 --set width=2;2,2,2", statusUsage,
			"bad value: --set width=2,2,2: want one number, or 2 for the hidden layers (layers=3)"},
		{"sweep --name=", statusUsage,
			`bad value: --name: invalid sweep name ""; want 1 to 64 letters, digits, _, - or dots, ` +
				`not starting with a dot or -`},
		{"sweep --set inducing", statusUsage, `bad value: --set "inducing"; want name=value`},
		{"sweep --random 0", statusUsage, "bad value: --random=0; want a whole number from 1"},
		{"sweep --dataset steps --split standard:0..9", statusUsage,
			"split standard:0: steps has no official splits"},
		{"sweep --dataset ,", statusUsage, `bad value: --dataset: "," contains no values`},
		{"sweep --dataset steps,boston", statusFailed,
			"star on boston: data set boston: not downloaded yet; run: dgplab datasets fetch boston"},
		{"sweep --set inducing=8,0", statusUsage,
			"bad value: --set inducing=0: want whole numbers from 1 to 4096, separated by commas"},
		{"sweep --family star,svgp --set svpg.inducing=4", statusUsage,
			"bad value: --set svpg.inducing=4; the family svpg is not in the sweep; did you mean svgp?"},
		{"sweep --resume abc", statusUsage, "no such sweep: abc"},
		{"sweep --resume abc --seed 3", statusUsage,
			"--seed cannot be used with --resume: the sweep keeps its values"},
		{"sweep --dataset steps --set inducing=8,08", statusUsage,
			"duplicate runs in the sweep: steps interpolation:0 star seed=0 inducing=8 and steps " +
				"interpolation:0 star seed=0 inducing=08"},
		{"sweep show ../abc", statusUsage,
			`invalid sweep name "../abc"; want 1 to 64 letters, digits, _, - or dots, not starting ` +
				`with a dot or -`},
		{"sweep show", statusUsage, "want one sweep name, not 0"},
		{"sweep show abc", statusUsage, "no such sweep: abc"},
		{"sweep --steps 5 --set steps=6", statusUsage, "steps is given twice"},
		{"sweep --seed 0..999 --split interpolation:0..999", statusUsage,
			"the sweep has more than 100000 runs"},
		{"sweep --dataset steps,montaincar", statusUsage,
			`unknown data set: "montaincar"; did you mean mountaincar?`},
		{"sweep --family star,chian", statusUsage, `unknown family: "chian"; did you mean chain?`},
		{"sweep --family gp,svgp --set layers=2,3", statusUsage,
			"unknown hyperparameter: --set layers=2 for family gp; known ones are kernel, " +
				"lengthscale, variance,"},

		{"train --seed -1", statusUsage, "bad value: --seed=-1; want a whole number from 0"},
		{"train --split half", statusUsage,
			`split "half": want standard:K, interpolation:SEED, stratified:SEED, random811:SEED, ` +
				`extrapolation:SEED, lindinger:SEED, outputs:TARGET:K, group:COLUMN:SEED, time:COLUMN:GAP, ` +
				`column:NAME or rows:FILE`},
		{"train --split interpolation:x", statusUsage,
			`split "interpolation:x": "x" is not a non-negative integer`},
		{"train --steps many", statusUsage, "bad value: --steps=many: want a whole number from 1 to 1e+09"},
		{"train --dataset steps --family gp --set epochs=3", statusUsage,
			"bad value: --set epochs=3: the family gp uses all training points in every step; set steps"},
		{"train --dataset", statusUsage, "missing value: --dataset"},
		{"train --from 1999 --set inducing=5", statusUsage, `no run "1999" in $DGPLAB_RUNS`},
		{"train --dataset no/such.csv", statusUsage, "unknown data set: no such file: no/such.csv"},
		{"train --steps=-1", statusUsage, "bad value: --steps=-1: want a whole number from 1 to 1e+09"},
		{"train --set inducing", statusUsage, `bad value: --set "inducing"; want name=value`},
		{"train --dataset steps --split standard:0", statusUsage,
			"data set steps, split standard:0: there are no standard splits; use interpolation:SEED, " +
				"stratified:SEED, random811:SEED, extrapolation:SEED or outputs:TARGET:SEED"},
		{"train --set learning_rate=fast", statusUsage,
			"bad value: --set learning_rate=fast: want a number above 0, at most 1"},
		{"train --dataset boston", statusFailed,
			"data set boston: not downloaded yet; run: dgplab datasets fetch boston"},
		{"train --set inducing=0", statusUsage,
			"bad value: --set inducing=0: want whole numbers from 1 to 4096, separated by commas"},
		{"train --resume 1999 --from 1998", statusUsage,
			"--from cannot be used with --resume: the run keeps its configuration; only --steps may " +
				"be raised"},
		{"train --resume 1999 --steps 0", statusUsage, "bad value: --steps=0; want a whole number from 1"},
		{"train --resume 1999", statusUsage, `no run "1999" in $DGPLAB_RUNS`},
		{"train --resume 1999 --family star", statusUsage,
			"--family cannot be used with --resume: the run keeps its configuration; only --steps " +
				"may be raised"},
		{"train --name latest~1", statusUsage,
			`bad value: --name: the name "latest~1" selects the newest runs`},
		{"train --inducing 0", statusUsage,
			"bad value: --inducing=0: want whole numbers from 1 to 4096, separated by commas"},
		{"train --steps 5 --set steps=6", statusUsage, "steps is given twice"},
		{"train steps", statusUsage, `unexpected argument: "steps"`},
		{"train --dataset steps --target y2", statusUsage, `data set steps: no target "y2"; did you mean y?`},
		{"train --family aep --set kernel=rq", statusUsage,
			"--set kernel=rq: aep has no such setting: the kernel is rbf, since moments are matched " +
				"by expectations of the kernel under Gaussian inputs, which have a closed form for rbf " +
				"only"},
		{"train --family gp --set likelihood=student-t", statusUsage,
			"--set likelihood=student-t: gp has no such setting: the objective has a closed form for " +
				"Gaussian noise only; svgp takes any likelihood"},
		{"train --dataset montaincar", statusUsage,
			`unknown data set: "montaincar"; did you mean mountaincar?`},
		{"train --dataset q", statusUsage,
			`unknown data set: "q"; known ones are mountaincar, steps, bimodal,`},
		{"train --family stars", statusUsage, `unknown family: "stars"; did you mean star?`},
		{"train --dataste steps", statusUsage, "unknown flag: --dataste; did you mean --dataset?"},
		{"train --set inducting=5", statusUsage,
			"unknown hyperparameter: --set inducting=5 for family star; did you mean inducing?"},
		{"train --family svgp --set layers=2", statusUsage,
			"unknown hyperparameter: --set layers=2 for family svgp; known ones are inducing, " +
				"kernel, lengthscale,"},
		{"train -x", statusUsage, "unknown flag: -x"},
		{"train --dataset steps --set width=2,2,2", statusUsage,
			"bad value: --set width=2,2,2: want one number, or 2 for the hidden layers (layers=3)"},

		{"trian", statusUsage, `unknown command: "trian"; did you mean train?`},
	} {
		f.check(t)
		entries, err := os.ReadDir(os.Getenv("DGPLAB_RUNS"))
		if err != nil || len(entries) > 0 {
			t.Fatalf("dgplab %s: want an empty folder of runs, found %v (%v)", f.args, entries, err)
		}
	}
}

// For an invalid table, the message gives the position of the error.
func TestBadFiles(t *testing.T) {
	isolate(t)
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		text, args string
		status     int
		want       string
	}{
		{"a,b\n1,2\n3,x\n", "", statusFailed, "line 3, column 2"},
		{"a,b\n1,2\n3\n", "", statusFailed, "line 3"},
		{"", "", statusFailed, "table.csv: no rows of numbers"},
		{"a,b\n1,2\n3,4\n", " --target price", statusUsage, "price"},
		{"price,area\n1,2\n3,4\n", " --log aera", statusUsage, "did you mean area?"},
		{"a,b\n1,2\n3,4\n", "", statusFailed, "rows"},
	} {
		if err := os.WriteFile("table.csv", []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		failure{"train --dataset table.csv" + c.args, c.status, c.want}.check(t)
	}
}
