package io.parterre.server.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import org.junit.jupiter.api.Test;

/** What a later command of a log entry sees of those before it. */
final class ChangesTest {
    private static final byte[] OLD = {1};
    private static final byte[] NEW = {2};

    private static Key key(int first) {
        return Key.copyOf(new byte[] {(byte) first});
    }

    @Test
    void emptiedKeysReadAsMissing_untilTheyAreWrittenAgain() {
        MapView view = new MapView();
        for (int first = 2; first <= 5; first++) {
            view.rows.put(key(first), OLD);
        }
        Changes changes = new Changes(view, SliceLimits.CURRENT, SliceRoom.UNBOUNDED);
        changes.put(key(3), NEW);
        changes.deleteRange(new KeyRange(key(3), key(5)));
        assertThat(changes.get(key(2))).contains(OLD);
        assertThat(changes.get(key(3))).isEmpty();
        assertThat(changes.get(key(4))).isEmpty();
        assertThat(changes.get(key(5))).contains(OLD);
        changes.put(key(4), NEW);
        assertThat(changes.get(key(4))).contains(NEW);
        assertThat(changes.get(key(3))).isEmpty();
    }
}
