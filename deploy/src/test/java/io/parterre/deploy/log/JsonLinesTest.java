package io.parterre.deploy.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class JsonLinesTest {
    private final JsonLines lines = new JsonLines();

    @Test
    void namedLogValuesBecomeJsonMembers() throws Exception {
        JsonNode event =
                encode(
                        "node registers nodeId={} at {} replicas={} leading={}",
                        null,
                        "node-1",
                        "home",
                        3,
                        true);
        assertThat(event.toString())
                .isEqualTo(
                        "{\"time\":\"2026-11-27T08:09:10.007Z\",\"level\":\"INFO\","
                                + "\"logger\":\"io.parterre.Lead\",\"thread\":\"main\","
                                + "\"message\":\"node registers nodeId=node-1 at home replicas=3"
                                + " leading=true\",\"nodeId\":\"node-1\",\"replicas\":3,"
                                + "\"leading\":true}");
    }

    @Test
    void namedLogValueNeverOverwritesStandardJsonMember() throws Exception {
        JsonNode event = encode("odd level={}", null, "high");
        assertThat(event.path("level").asText()).isEqualTo("INFO");
        assertThat(event.path("message").asText()).isEqualTo("odd level=high");
    }

    @Test
    void exceptionStaysInOneJsonLine() throws Exception {
        JsonNode event =
                encode("failed operation={}", new IllegalStateException("a\nb"), "flushing");
        assertThat(event.path("operation").asText()).isEqualTo("flushing");
        assertThat(event.path("exception").asText())
                .startsWith("java.lang.IllegalStateException: a\nb")
                .contains("JsonLinesTest");
    }

    private JsonNode encode(String message, Throwable failure, Object... values) throws Exception {
        LoggerContext context = new LoggerContext();
        LoggingEvent event =
                new LoggingEvent(
                        "fqcn",
                        context.getLogger("io.parterre.Lead"),
                        Level.INFO,
                        message,
                        failure,
                        values);
        event.setThreadName("main");
        event.setInstant(Instant.parse("2026-11-27T08:09:10.007Z"));
        String line = new String(lines.encode(event), UTF_8);
        assertThat(line).endsWith("}\n").containsOnlyOnce("\n");
        return new ObjectMapper().readTree(line);
    }
}
