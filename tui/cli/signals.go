package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// watchSignals hears the signals that ask a command to end. The first Ctrl-C ends
// gentle, the first of the others (and the end of ctx) ends both gentle and firm;
// any second one ends the process at once. hint is said after the first Ctrl-C.
// release gives the signals back.
//
// A program that nohup started goes on ignoring SIGHUP.
func (c *console) watchSignals(ctx context.Context, hint string) (gentle, firm context.Context, release func()) {
	firm, endFirm := context.WithCancel(ctx)
	gentle, endGentle := context.WithCancel(firm)
	wanted := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		wanted = append(wanted, syscall.SIGHUP)
	}
	heard := make(chan os.Signal, 2)
	signal.Notify(heard, wanted...)
	done := make(chan struct{})
	go func() {
		for first := true; ; first = false {
			select {
			case <-done:
				return
			case s := <-heard:
				switch {
				case !first:
					c.Exit(statusInterrupted)
				case s == os.Interrupt:
					c.say("%s", hint)
					endGentle()
				default:
					endFirm()
				}
			}
		}
	}()
	return gentle, firm, func() {
		signal.Stop(heard)
		close(done)
		endFirm()
	}
}
