package tui

import (tea "github.com/charmbracelet/bubbletea";"strings";"context";"dgplab/session")

func (th *theme) drawProgress(share float64, w int) string { return strings.Repeat("#", int(share*float64(w)))+strings.Repeat("-", w-int(share*float64(w))) }
func (th *theme) drawLayer(l layerSamples, gp, w, h int) []string { return nil }
func (d *dash) export() tea.Cmd { return nil }
type realEngine struct{ engine }
var _ = context.Background
var _ session.Config
