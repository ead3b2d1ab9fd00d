// Package kittest supports tests of screens: synthetic runs and snapshots, checks of frames, a host
// for a single screen, and key messages by name.
package kittest
