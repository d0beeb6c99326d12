package io.parterre.frontend.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

final class ErrorBodyTest {
    @Test
    void errorXmlEscapesText_andReplacesWhatXmlCannotHold() {
        String body =
                new String(
                        ErrorBody.frontEndXml("Code", "a<b & c>d\u0001", "id", Instant.EPOCH),
                        UTF_8);
        assertThat(body).contains(">a&lt;b &amp; c&gt;d?\n");
    }
}
