package io.parterre.deploy.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One JSON object per line: {@code time}, {@code level}, {@code logger}, {@code thread}, {@code
 * message}, the values that the message names as {@code key={}}, and {@code exception}.
 * Thread-safe.
 */
final class JsonLines extends EncoderBase<ILoggingEvent> {
    /** The same form as in text. */
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX").withZone(ZoneOffset.UTC);

    /** A placeholder for a value, with its key if it has one. */
    private static final Pattern VALUE = Pattern.compile("(?:\\b([a-zA-Z][a-zA-Z0-9]*)=)?\\{}");

    private static final byte[] NONE = {};

    private final ObjectMapper json = new ObjectMapper();

    @Override
    public byte[] headerBytes() {
        return NONE;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        try {
            return (json.writeValueAsString(members(event)) + "\n").getBytes(UTF_8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("texts and numbers refused", e);
        }
    }

    private static Map<String, Object> members(ILoggingEvent event) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("time", TIME.format(Instant.ofEpochMilli(event.getTimeStamp())));
        members.put("level", event.getLevel().toString());
        members.put("logger", event.getLoggerName());
        members.put("thread", event.getThreadName());
        members.put("message", event.getFormattedMessage());
        addValues(event, members);
        if (event.getThrowableProxy() != null) {
            members.put("exception", ThrowableProxyUtil.asString(event.getThrowableProxy()));
        }
        return members;
    }

    private static void addValues(ILoggingEvent event, Map<String, Object> members) {
        Object[] values = event.getArgumentArray();
        if (values == null) {
            return;
        }
        Matcher place = VALUE.matcher(String.valueOf(event.getMessage()));
        for (int i = 0; i < values.length && place.find(); i++) {
            if (place.group(1) != null) {
                // A key of ours is not overwritten, because the message contains the value anyway.
                members.putIfAbsent(place.group(1), plain(values[i]));
            }
        }
    }

    private static Object plain(Object value) {
        return value instanceof Number || value instanceof Boolean ? value : String.valueOf(value);
    }

    @Override
    public byte[] footerBytes() {
        return NONE;
    }
}
