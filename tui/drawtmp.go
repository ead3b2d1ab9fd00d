package tui

import (tea "github.com/charmbracelet/bubbletea")

func (d *dash) export() tea.Cmd { return nil }
