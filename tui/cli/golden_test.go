package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dgplab/viz/golden"
)

// Each command line that does not train has a golden file with output, messages and status.
func TestCommandLines(t *testing.T) {
	cases := []struct{ name, args string }{
		{"help", "help"},
		{"help_nothing", "help nothing"},
		{"help_typo", "help runs shwo"},
		{"completion_nothing", "completion"},
		{"completion_typo", "completion zsh1"},
		{"completion_two", "completion zsh bash"},
		{"datasets_show_nothing", "datasets show"},
		{"datasets_show_no_file", "datasets show no/such.csv"},
		{"train_help", "train --help"},
		{"train_absent_kernel", "train --family aep --set kernel=rq"},
		{"train_absent_likelihood", "train --family gp --set likelihood=student-t"},
		{"families_help", "families --help"},
		{"datasets_help", "datasets --help"},
		{"fetch_help", "datasets fetch --help"},
		{"compare_help", "compare --help"},
		{"predict_help", "predict --help"},
		{"export_help", "export --help"},
		{"export_nothing", "export"},
		{"export_unknown", "export 2025"},
		{"export_unknown_figure", "export 2025 --figure fit,covariances"},
		{"export_unknown_format", "export 2025 --format gif"},
		{"predict_nothing", "predict"},
		{"predict_unknown", "predict 2025 new.csv"},
		{"predict_bad_quantiles", "predict 2025 new.csv --quantiles 5,median"},
		{"suggest_help", "suggest --help"},
		{"suggest_nothing", "suggest"},
		{"suggest_unknown", "suggest 2025"},
		{"suggest_bad_criterion", "suggest 2025 --criterion imsee"},
		{"suggest_bad_goal", "suggest 2025 --goal best"},
		{"suggest_bad_count", "suggest 2025 --count 0"},
		{"suggest_bad_candidates", "suggest 2025 --candidates lhs:many"},
		{"predict_bad_draws", "predict 2025 new.csv --draws -1"},
		{"predict_bad_unknown", "predict 2025 new.csv --unknown drop"},
		{"runs_help", "runs --help"},
		{"runs_show_help", "runs show --help"},
		{"version", "version"},
		{"families", "families"},
		{"families_json", "families --json"},
		{"families_star", "families star"},
		{"families_svgp_json", "families svgp --json"},
		{"families_typo", "families fully-copled"},
		{"families_two", "families star chain"},
		{"datasets", "datasets"},
		{"datasets_json", "datasets --json"},
		{"datasets_show", "datasets show letters"},
		{"datasets_show_json", "datasets show mountaincar --json"},
		{"datasets_show_typo", "datasets show boton"},
		{"datasets_argument", "datasets fech"},
		{"fetch_nothing", "datasets fetch"},
		{"fetch_builtin", "datasets fetch steps"},
		{"fetch_typo", "datasets fetch boton"},
		{"fetch_no_mirror", "datasets fetch yacht"},
		{"runs_none", "runs"},
		{"runs_none_json", "runs --json"},
		{"runs_diff_help", "runs diff --help"},
		{"runs_tag_help", "runs tag --help"},
		{"runs_delete_help", "runs delete --help"},
		{"runs_none_query", "runs state:running"},
		{"runs_bad_query", "runs star step>many"},
		{"runs_unknown_field", "runs famly:star"},
		{"runs_unknown_sort", "runs --sort rsme"},
		{"runs_tag_nothing", "runs tag 2025"},
		{"runs_tag_unknown", "runs tag 2025 paper"},
		{"runs_rename_many", "runs rename 2025 small steps"},
		{"runs_delete_nothing", "runs delete"},
		{"runs_delete_unknown", "runs delete 2025"},
		{"runs_trash_none", "runs trash"},
		{"runs_trash_none_json", "runs trash --json"},
		{"runs_restore_unknown", "runs restore 2025"},
		{"runs_diff_one", "runs diff 2025"},
		{"runs_show_nothing", "runs show"},
		{"runs_show_unknown", "runs show 2025"},
		{"runs_show_latest", "runs show latest~1"},
		{"runs_rename_latest", "train --name latest~1"},
		{"shortcut_out_of_bounds", "train --inducing 0"},
		{"unknown_command", "trian"},
		{"unknown_command_far", "something"},
		{"unknown_flag", "train --dataste steps"},
		{"unknown_short_flag", "train -x"},
		{"flag_without_value", "train --dataset"},
		{"stray_argument", "train steps"},
		{"unknown_dataset", "train --dataset montaincar"},
		{"unknown_dataset_far", "train --dataset q"},
		{"missing_file", "train --dataset no/such.csv"},
		{"not_fetched", "train --dataset boston"},
		{"unknown_family", "train --family stars"},
		{"unknown_hyperparameter", "train --set inducting=5"},
		{"unknown_hyperparameter_far", "train --family svgp --set layers=2"},
		{"epochs_without_batches", "train --dataset steps --family gp --set epochs=3"},
		{"out_of_bounds", "train --set inducing=0"},
		{"not_a_number", "train --set learning_rate=fast"},
		{"no_equals_sign", "train --set inducing"},
		{"bad_steps", "train --steps many"},
		{"negative_steps", "train --steps=-1"},
		{"steps_twice", "train --steps 5 --set steps=6"},
		{"bad_seed", "train --seed -1"},
		{"bad_split", "train --split half"},
		{"bad_split_number", "train --split interpolation:x"},
		{"no_such_split", "train --dataset steps --split standard:0"},
		{"widths_do_not_fit", "train --dataset steps --set width=2,2,2"},
		{"targets_of_builtin", "train --dataset steps --target y2"},
		{"resume_unknown", "train --resume 1999"},
		{"resume_with_flags", "train --resume 1999 --family star"},
		{"resume_no_steps", "train --resume 1999 --steps 0"},
		{"resume_from", "train --resume 1999 --from 1998"},
		{"from_unknown", "train --from 1999 --set inducing=5"},
		{"workbench_unknown_family", "--family stars"},
		{"workbench_argument", "--start now"},
		{"workbench_frame_rate", "--frame-rate 61"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			isolate(t)
			o := dgplab(t, strings.Fields(c.args)...)
			golden.Check(t, c.name, "$ dgplab "+c.args+"\n"+scrub(o.String()))
			if c.name == "fetch_no_mirror" {
				return // A message precedes the answer.
			}
			if o.status != statusOK &&
				(strings.Count(o.err, "\n") != 1 || !strings.HasPrefix(o.err, "dgplab: ") || o.out != "") {
				t.Errorf("an error is not one line:\n%v", o)
			}
			entries, err := os.ReadDir(os.Getenv("DGPLAB_RUNS"))
			if err != nil || len(entries) > 0 {
				t.Errorf("left %v in the runs folder (%v)", entries, err)
			}
		})
	}
}

// The two ways to ask for help print the same text.
func TestHelpOfCommands(t *testing.T) {
	isolate(t)
	byFlag := dgplab(t, "train", "--help")
	byCommand := dgplab(t, "help", "train")
	if byFlag.out == "" || byCommand != byFlag {
		t.Errorf("help train prints\n%v\ntrain --help prints\n%v", byCommand, byFlag)
	}
}

// For an invalid table, the message gives the position of the error.
func TestBadFiles(t *testing.T) {
	cases := []struct {
		name, text string
		args       []string
		status     int
		want       string
	}{
		{"not a number", "a,b\n1,2\n3,x\n", nil, statusFailed, "line 3, column 2"},
		{"ragged", "a,b\n1,2\n3\n", nil, statusFailed, "line 3"},
		{"empty", "", nil, statusFailed, "empty"},
		{"no such target", "a,b\n1,2\n3,4\n", []string{"--target", "price"}, statusUsage, "price"},
		{"a slip", "price,area\n1,2\n3,4\n", []string{"--log", "aera"}, statusUsage, "did you mean area?"},
		{"too few rows", "a,b\n1,2\n3,4\n", nil, statusFailed, "rows"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			isolate(t)
			path := filepath.Join(t.TempDir(), "table.csv")
			if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
				t.Fatal(err)
			}
			o := dgplab(t, append([]string{"train", "--dataset", path}, c.args...)...)
			if o.status != c.status || !strings.Contains(o.err, c.want) || strings.Count(o.err, "\n") != 1 {
				t.Errorf("want status %d and %q, got\n%v", c.status, c.want, o)
			}
		})
	}
}
