package io.parterre.frontend.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.entity.EdmValue;
import io.parterre.entity.EntityCodec;
import io.parterre.entity.Property;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import org.junit.jupiter.api.Test;

final class EntityReaderTest {
    private static EntityBody read(String text) {
        byte[] body =
                ("{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"n\":5,\"t\":\"" + text + "\"}")
                        .getBytes(UTF_8);
        return new EntityReader(EntityLimits.OF_THE_SERVICE).readForInsert(body, 0, body.length);
    }

    /** A character may take more bytes than one. */
    @Test
    void stringLimitCountsCharacters_besideOtherProperties() {
        String most = "\u00e9".repeat(32_768);
        assertThat(EntityCodec.decodeBlock(read(most).block()))
                .contains(
                        new Property("n", new EdmValue.Int32Value(5)),
                        new Property("t", new EdmValue.StringValue(most)));
        assertThatThrownBy(() -> read(most + "x"))
                .isInstanceOf(StorageException.class)
                .extracting(failure -> ((StorageException) failure).code())
                .isEqualTo(ErrorCode.PROPERTY_VALUE_TOO_LARGE);
    }

    @Test
    void booleanIsReadFromText_whenDeclared() {
        byte[] body =
                ("{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"a\":\"True\",\"a@odata.type\":\"Edm.Boolean\","
                                + "\"b\":\"false\",\"b@odata.type\":\"Edm.Boolean\"}")
                        .getBytes(UTF_8);
        EntityBody entity =
                new EntityReader(EntityLimits.OF_THE_SERVICE).readForInsert(body, 0, body.length);
        assertThat(EntityCodec.decodeBlock(entity.block()))
                .containsExactly(
                        new Property("a", new EdmValue.BooleanValue(true)),
                        new Property("b", new EdmValue.BooleanValue(false)));
    }
}
