package io.parterre.bench.subject;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much a process says over TCP: segments with data in them, sent on the connections it has now.
 * An idle conversation puts one message into one segment.
 */
public final class SentMessages {
    private static final Pattern SEGMENTS = Pattern.compile("data_segs_out:(\\d+)");

    private SentMessages() {}

    /** Since each connection was made; 0 where there is no {@code ss}. */
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

    /** One line a connection, with its processes and its counters. */
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
