//go:build unix

package journey

import "testing"

// TestJourney is an afternoon with the workbench.
func TestJourney(t *testing.T) {
	term := open(t, 120, 40)
	term.shell("dgplab --dataset steps --family mean-field --set layers=2 --set inducing=8 --set steps=100000 --set early_stopping=off")
	term.see("Data set", "mean-field")
	term.press("Enter")
	term.see("ELBO", "training")
	term.press("q")
	term.see("Stop")
	term.press("y")
	term.see("go on with: dgplab train --resume", "shell>")
}
