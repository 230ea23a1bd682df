package workspace

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

var errWork = errors.New("the disk is on fire")

func TestRunReturnsWhatTheWorkCameTo(t *testing.T) {
	f := NewFiles(1)
	for range 3 { // the one worker is free again each time
		value, err := run(t.Context(), f, func() (int, error) { return 7, nil }, nil)
		require.NoError(t, err)
		require.Equal(t, 7, value)
		_, err = run(t.Context(), f, func() (int, error) { return 0, errWork }, nil)
		require.Same(t, errWork, err)
	}
	require.NoError(t, f.Wait(t.Context()))
}

// a signal that has fired already wins before any work.
func TestRunDoesNotBeginUnderADoneContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(seam.Errorf(seam.CodeDisposed, "the provider is closed"))
	_, err := run(ctx, NewFiles(1), func() (int, error) {
		t.Error("the work began")
		return 0, nil
	}, nil)
	require.Equal(t, seam.CodeDisposed, seam.CodeOf(err))
}

// cancellation wins over the error that it may have caused.
func TestRunPrefersTheEndOfTheContextToAnError(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	_, err := run(ctx, NewFiles(1), func() (int, error) {
		cancel()
		return 0, errWork
	}, nil)
	require.Equal(t, seam.CodeCancelled, seam.CodeOf(err))
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, err, errWork)
}

// a caller whose file work hangs is released; waiting still waits for the work.
func TestRunReleasesTheCallerAtItsDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := NewFiles(1)
		hang := make(chan struct{})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()

		start := time.Now()
		dropped := 0
		_, err := run(ctx, f, func() (int, error) { <-hang; return 7, nil }, func(value int) { dropped = value })
		require.Equal(t, time.Second, time.Since(start))
		require.Equal(t, seam.CodeTimeout, seam.CodeOf(err))
		require.ErrorIs(t, err, context.DeadlineExceeded)

		// whoever disposes waits for the abandoned work, within bounds.
		bounded, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		require.Equal(t, seam.CodeTimeout, seam.CodeOf(f.Wait(bounded)))
		require.Zero(t, dropped)

		time.AfterFunc(time.Hour, func() { close(hang) })
		require.NoError(t, f.Wait(t.Context()))
		require.Equal(t, 2*time.Second+time.Hour, time.Since(start))
		require.Equal(t, 7, dropped, "what nobody takes is given back before Wait returns")
		require.NoError(t, f.Wait(t.Context()))
	})
}

func TestRunBoundsTheWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const workers, callers = 3, 20
		f := NewFiles(workers)
		hang := make(chan struct{})
		var running, most atomic.Int32
		failed := make(chan seam.Code, callers)
		for range callers {
			go func() {
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				_, err := run(ctx, f, func() (int, error) {
					most.Store(max(most.Load(), running.Add(1)))
					<-hang
					running.Add(-1)
					return 0, nil
				}, nil)
				failed <- seam.CodeOf(err)
			}()
		}
		start := time.Now()
		for range callers { // those that got no worker are released as well
			require.Equal(t, seam.CodeTimeout, <-failed)
		}
		require.Equal(t, time.Second, time.Since(start))
		require.EqualValues(t, workers, most.Load())

		close(hang)
		require.NoError(t, f.Wait(t.Context()))
		require.Zero(t, running.Load())
		_, err := run(t.Context(), f, func() (int, error) { return 0, nil }, nil)
		require.NoError(t, err, "the workers are free again")
	})
}

func TestRunUnderManyEndingContexts(t *testing.T) {
	f := NewFiles(4)
	var made, dropped, taken atomic.Int64
	done := make(chan struct{})
	for range 8 {
		go func() {
			defer func() { done <- struct{}{} }()
			for i := range 2000 {
				ctx, cancel := context.WithCancel(t.Context())
				if i%2 == 0 {
					go cancel()
				}
				_, err := run(ctx, f, func() (int, error) { made.Add(1); return 1, nil }, func(int) { dropped.Add(1) })
				if err == nil {
					taken.Add(1)
				}
				cancel()
			}
		}()
	}
	for range 8 {
		<-done
	}
	require.NoError(t, f.Wait(t.Context()))
	require.Equal(t, made.Load(), taken.Load()+dropped.Load(), "every value is either taken or given back")
}
