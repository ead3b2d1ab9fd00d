package task

import (
	"encoding/json"
	"testing"
)

// Tasks are marshalled as words. Unknown words are errors.
func TestTaskInJSON(t *testing.T) {
	for task, want := range map[Task]string{
		Regression: `"regression"`, Binary: `"binary"`, Multiclass: `"multiclass"`,
	} {
		text, err := json.Marshal(task)
		if err != nil || string(text) != want {
			t.Errorf("%v is %s, %v; want %s", task, text, err, want)
		}
		back := Task(-1)
		if err := json.Unmarshal(text, &back); err != nil || back != task {
			t.Errorf("%s is read as %d, %v", text, back, err)
		}
	}
	if err := json.Unmarshal([]byte(`"counts"`), new(Task)); err == nil ||
		err.Error() != `unknown task "counts"` {
		t.Errorf("counts: %v", err)
	}
}
