package io.parterre.bench.subject;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The number of messages that a process sends over TCP: segments with data, on its current
 * connections. On an idle connection each message is one segment.
 */
public final class SentMessages {
    private static final Pattern SEGMENTS = Pattern.compile("data_segs_out:(\\d+)");

    private SentMessages() {}

    /** Returns the messages since each connection was made; 0 if there is no {@code ss}. */
    public static long of(long pid) throws InterruptedException {
        try {
            Process ss =
                    new ProcessBuilder("ss", "-tinpHO")
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            String output = new String(ss.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            ss.waitFor();
            return parse(output, pid);
        } catch (IOException noSuchCommand) {
            return 0;
        }
    }

    /** Parses one line per connection, with its processes and its counters. */
    static long parse(String output, long pid) {
        long sum = 0;
        for (String line : output.split("\n", -1)) {
            Matcher segments = SEGMENTS.matcher(line);
            if (line.contains("pid=" + pid + ",") && segments.find()) {
                sum += Long.parseLong(segments.group(1));
            }
        }
        return sum;
    }
}
