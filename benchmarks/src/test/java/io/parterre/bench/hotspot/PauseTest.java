package io.parterre.bench.hotspot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class PauseTest {
    private static final Layout ONE = layout(new Layout.Part(1, 0, "s1"));
    private static final Layout TWO =
            layout(new Layout.Part(1, 0, "s1"), new Layout.Part(2, 10, "s2"));

    private static Layout layout(Layout.Part... parts) {
        return new Layout(List.of(parts), 20);
    }

    private static Step step(long millis, String kind, String verdict, Long... ranges) {
        return new Step(millis, kind, verdict, List.of(ranges), List.of(), 1, "done: reported");
    }

    /** One call each millisecond for each half; the right one's stop for a while. */
    private static List<Call> calls(long silentFromMillis, long silentToMillis) {
        List<Call> calls = new ArrayList<>();
        for (long millis = 0; millis < 10_000; millis++) {
            calls.add(new Call(millis * 1_000, millis * 1_000 + 500, 3));
            if (millis < silentFromMillis) {
                calls.add(new Call(millis * 1_000, millis * 1_000 + 500, 15));
            } else if (millis >= silentToMillis) {
                long begun = millis == silentToMillis ? silentFromMillis : millis;
                calls.add(new Call(begun * 1_000, millis * 1_000 + 500, 15));
            }
        }
        return calls;
    }

    private static RunRecord run(List<Sample> samples, List<Step> steps, List<Call> calls) {
        return new RunRecord(List.of(), samples, steps, calls, Map.of(), 0, Map.of());
    }

    @Test
    void splitPauseIsMeasuredForMovedHalfOnly() {
        RunRecord run =
                run(
                        List.of(new Sample(0, ONE), new Sample(5_500, TWO)),
                        List.of(
                                step(5_000, "decided", "SPLIT", 1L),
                                step(5_200, "ended", "SPLIT", 1L, 2L)),
                        calls(5_050, 5_130));

        Pause pause = Pause.ofSplits(run).get(0);

        assertThat(pause.moved()).isEqualTo(new Pause.Silence(81_000, 80_500));
        assertThat(pause.kept()).isEqualTo(new Pause.Silence(1_000, 500));
        assertThat(pause.usual()).isEqualTo(new Pause.Silence(1_000, 500));
        assertThat(Pause.ofMerges(run)).isEmpty();
    }

    @Test
    void mergePauseIsMeasuredForAbsorbedRange() {
        RunRecord run =
                run(
                        List.of(new Sample(0, TWO), new Sample(5_500, ONE)),
                        List.of(
                                step(5_000, "decided", "MERGE", 1L, 2L),
                                step(5_200, "ended", "MERGE", 1L, 2L)),
                        calls(5_050, 5_130));

        Pause pause = Pause.ofMerges(run).get(0);

        assertThat(pause.moved().callMicros()).isEqualTo(80_500);
        assertThat(pause.kept().callMicros()).isEqualTo(500);
        assertThat(Pause.ofSplits(run)).isEmpty();
    }

    @Test
    void silenceLastsToEndOfRun_whenNoMoreAnswersArrive() {
        List<Call> calls = List.of(new Call(0, 1_500_000, 3));
        assertThat(Pause.Silence.of(calls, new Layout.Partitions(0, 20), 1_000, 5_000))
                .isEqualTo(new Pause.Silence(3_500_000, 1_500_000));
    }
}
