package io.parterre.bench.load;

import java.nio.charset.StandardCharsets;

/**
 * Parses answers of HTTP/1.1 from pieces of any size: status, the few headers that matter here, and
 * a body by length or in chunks. A body that ends with the connection is not accepted, because such
 * a server would not keep connections alive. Not thread-safe: one per connection.
 */
final class AnswerParser {
    private enum Part {
        HEAD,
        BODY,
        CHUNK_SIZE,
        CHUNK,
        TRAILER,
        DONE
    }

    private static final int LINE_BYTES_MAX = 16 * 1024;

    private final Answer answer;
    private final byte[] line = new byte[LINE_BYTES_MAX];
    private int lineLength;
    private Part part = Part.HEAD;
    private long remaining;
    private boolean chunked;
    private boolean closing;
    private boolean statusSeen;

    AnswerParser(Answer answer) {
        this.answer = answer;
        reset();
    }

    /** Prepares for the answer to the next request. */
    void reset() {
        answer.reset();
        part = Part.HEAD;
        lineLength = 0;
        remaining = 0;
        chunked = false;
        closing = false;
        statusSeen = false;
    }

    boolean done() {
        return part == Part.DONE;
    }

    /** Returns whether the server closes the connection after this answer. */
    boolean closing() {
        return closing;
    }

    /**
     * Parses bytes until the answer is complete.
     *
     * @return offset after the last parsed byte
     * @throws IllegalArgumentException if this is no answer of HTTP/1.1
     */
    int parse(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && part != Part.DONE) {
            at =
                    switch (part) {
                        case HEAD, CHUNK_SIZE, TRAILER -> readLine(bytes, at, to);
                        case BODY, CHUNK -> readBody(bytes, at, to);
                        case DONE -> at;
                    };
        }
        return at;
    }

    private int readLine(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to) {
            byte next = bytes[at++];
            if (next == '\n') {
                if (lineLength > 0 && line[lineLength - 1] == '\r') {
                    lineLength--;
                }
                lineEnds();
                lineLength = 0;
                return at;
            }
            if (lineLength == LINE_BYTES_MAX) {
                throw new IllegalArgumentException("answer: line over " + LINE_BYTES_MAX);
            }
            line[lineLength++] = next;
        }
        return at;
    }

    private void lineEnds() {
        if (part == Part.CHUNK_SIZE) {
            if (lineLength > 0) { // The line break after a chunk's bytes is an empty line.
                remaining = Long.parseLong(lineText(0).split(";", 2)[0].trim(), 16);
                part = remaining == 0 ? Part.TRAILER : Part.CHUNK;
            }
        } else if (part == Part.TRAILER) {
            if (lineLength == 0) {
                part = Part.DONE;
            }
        } else if (!statusSeen) {
            readStatus();
        } else if (lineLength > 0) {
            readHeader();
        } else {
            headEnds();
        }
    }

    private void readStatus() {
        if (lineLength < 12 || !startsWith("http/1.1 ")) {
            throw new IllegalArgumentException("answer: " + lineText(0));
        }
        answer.setStatus((line[9] - '0') * 100 + (line[10] - '0') * 10 + line[11] - '0');
        statusSeen = true;
    }

    private void readHeader() {
        // Most headers are not needed, so one byte is checked before anything else.
        switch (line[0] | 0x20) {
            case 'c' -> {
                if (startsWith("content-length:")) {
                    remaining = Long.parseLong(lineText(15).trim());
                } else if (startsWith("connection:")) {
                    closing = lineText(11).trim().equalsIgnoreCase("close");
                }
            }
            case 't' -> {
                if (startsWith("transfer-encoding:")) {
                    chunked = lineText(18).trim().equalsIgnoreCase("chunked");
                }
            }
            case 'x' -> {
                if (startsWith("x-ms-continuation-nextpartitionkey:")) {
                    answer.setNextPartitionKey(lineText(35).trim());
                } else if (startsWith("x-ms-continuation-nextrowkey:")) {
                    answer.setNextRowKey(lineText(29).trim());
                }
            }
            default -> {}
        }
    }

    private void headEnds() {
        int status = answer.status();
        if (status < 200) {
            statusSeen = false; // 100 Continue: the answer proper follows.
        } else if (status == 204 || status == 304) {
            part = Part.DONE;
        } else if (chunked) {
            part = Part.CHUNK_SIZE;
        } else {
            part = remaining == 0 ? Part.DONE : Part.BODY;
        }
    }

    private int readBody(byte[] bytes, int from, int to) {
        int count = (int) Math.min(remaining, to - from);
        answer.append(bytes, from, count);
        remaining -= count;
        if (remaining == 0) {
            part = part == Part.BODY ? Part.DONE : Part.CHUNK_SIZE;
        }
        return from + count;
    }

    private boolean startsWith(String lowerCase) {
        if (lineLength < lowerCase.length()) {
            return false;
        }
        for (int i = 0; i < lowerCase.length(); i++) {
            byte unit = line[i];
            int lower = unit >= 'A' && unit <= 'Z' ? unit + 32 : unit;
            if (lower != lowerCase.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private String lineText(int from) {
        return new String(line, from, lineLength - from, StandardCharsets.ISO_8859_1);
    }
}
