package io.parterre.frontend.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.sym.ByteQuadsCanonicalizer;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import java.lang.reflect.Field;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class JsonObjectTest {
    private static JsonObject parse(String text) {
        byte[] body = text.getBytes(UTF_8);
        return JsonObject.parse(body, 0, body.length);
    }

    private static String nulls(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "\"a" + i + "\":null")
                .collect(Collectors.joining(",", "{", "}"));
    }

    @Test
    void bodyIsRefused_whenItHasMoreMembersThanAreKept() {
        assertThat(parse(nulls(16_384)).members()).hasSize(16_384);
        assertThatThrownBy(() -> parse(nulls(16_385)))
                .isInstanceOfSatisfying(
                        StorageException.class,
                        refused ->
                                assertThat(refused.code())
                                        .isEqualTo(ErrorCode.TOO_MANY_PROPERTIES));
    }

    /** Jackson's factories keep thousands of names, of any length. */
    @Test
    void parserForgetsNames_onceBodyIsRead() throws Exception {
        for (int i = 0; i < 10; i++) {
            parse("{\"" + "n".repeat(1_000) + i + "\":1}");
        }
        Field symbols = JsonFactory.class.getDeclaredField("_byteSymbolCanonicalizer");
        symbols.setAccessible(true);
        ByteQuadsCanonicalizer kept = (ByteQuadsCanonicalizer) symbols.get(JsonObject.FACTORY);
        assertThat(kept.size()).isZero();
    }
}
