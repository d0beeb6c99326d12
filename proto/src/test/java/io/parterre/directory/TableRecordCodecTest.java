package io.parterre.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.key.ObjectId;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class TableRecordCodecTest {
    @Test
    void theOldestStoredBytesAreStillRead() {
        byte[] stored = HexFormat.of().parseHex("0102" + "0000000000000007" + "54616231");

        TableRecord table = TableRecordCodec.decode(stored);

        assertThat(table)
                .isEqualTo(new TableRecord("Tab1", new ObjectId(7), TableRecord.State.DELETING));
        assertThat(TableRecordCodec.encode(table)).isEqualTo(stored);
    }

    @Test
    void anUnknownVersionOrStateIsRefused() {
        for (String malformed :
                new String[] {"", "01", "0201000000000000000754", "0103000000000000000754"}) {
            assertThatThrownBy(() -> TableRecordCodec.decode(HexFormat.of().parseHex(malformed)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
