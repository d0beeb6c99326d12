package io.parterre.frontend.settings;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A document as the service writes it: a byte-order mark, one line, {@code <Empty />}. Not
 * thread-safe. Source: docs/protocol.md 3.10 and 3.11.
 */
final class XmlText {
    private static final String START = "\uFEFF<?xml version=\"1.0\" encoding=\"utf-8\"?>";

    private final StringBuilder out = new StringBuilder(START);

    XmlText open(String name) {
        out.append('<').append(name).append('>');
        return this;
    }

    XmlText close(String name) {
        out.append("</").append(name).append('>');
        return this;
    }

    /** Adds an empty element. */
    XmlText empty(String name) {
        out.append('<').append(name).append(" />");
        return this;
    }

    /** Adds an element with this text, which may be empty. */
    XmlText element(String name, String text) {
        if (text.isEmpty()) {
            return empty(name);
        }
        open(name);
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            switch (unit) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '\r' -> out.append("&#xD;");
                default -> out.append(unit);
            }
        }
        return close(name);
    }

    byte[] toBytes() {
        return out.toString().getBytes(UTF_8);
    }
}
