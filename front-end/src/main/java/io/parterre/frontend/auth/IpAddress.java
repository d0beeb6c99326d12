package io.parterre.frontend.auth;

import java.util.Arrays;
import java.util.Optional;

/**
 * An address of 4 or 16 bytes. An IPv4 address written as IPv6 ({@code ::ffff:10.0.0.1}) is an IPv4
 * address. Immutable. Only literals are parsed, because names would need a DNS lookup.
 */
final class IpAddress {
    private static final int V4_BYTES = 4;
    private static final int V6_BYTES = 16;
    private static final int GROUPS = 8;

    private final byte[] bytes;

    private IpAddress(byte[] bytes) {
        this.bytes = bytes;
    }

    static IpAddress of(byte[] bytes) {
        boolean mapped =
                bytes.length == V6_BYTES
                        && bytes[10] == -1
                        && bytes[11] == -1
                        && Arrays.equals(bytes, 0, 10, new byte[10], 0, 10);
        return new IpAddress(
                mapped ? Arrays.copyOfRange(bytes, V6_BYTES - V4_BYTES, V6_BYTES) : bytes.clone());
    }

    /** Parses a literal; returns empty if the text is no address. */
    static Optional<IpAddress> parse(String text) {
        return (text.indexOf(':') < 0 ? v4(text) : v6(text)).map(IpAddress::of);
    }

    private static Optional<byte[]> v4(String text) {
        String[] octets = text.split("\\.", -1);
        byte[] bytes = new byte[V4_BYTES];
        if (octets.length != V4_BYTES) {
            return Optional.empty();
        }
        for (int i = 0; i < V4_BYTES; i++) {
            // Some parsers read a leading zero as octal, so 010 could mean two addresses.
            if (!octets[i].matches("0|[1-9][0-9]{0,2}") || Integer.parseInt(octets[i]) > 255) {
                return Optional.empty();
            }
            bytes[i] = (byte) Integer.parseInt(octets[i]);
        }
        return Optional.of(bytes);
    }

    private static Optional<byte[]> v6(String text) {
        String hex = text;
        int dot = text.indexOf('.');
        if (dot >= 0) {
            int colon = text.lastIndexOf(':');
            Optional<byte[]> tail = v4(text.substring(colon + 1));
            if (tail.isEmpty()) {
                return Optional.empty();
            }
            byte[] v4 = tail.get();
            hex =
                    text.substring(0, colon + 1)
                            + "%x:%x"
                                    .formatted(
                                            (v4[0] & 0xFF) << 8 | v4[1] & 0xFF,
                                            (v4[2] & 0xFF) << 8 | v4[3] & 0xFF);
        }
        int gap = hex.indexOf("::");
        if (gap < 0) {
            return groups(hex).filter(all -> all.length == V6_BYTES);
        }
        Optional<byte[]> head = groups(hex.substring(0, gap));
        Optional<byte[]> tail = groups(hex.substring(gap + 2));
        if (head.isEmpty()
                || tail.isEmpty()
                || head.get().length + tail.get().length > V6_BYTES - 2) {
            return Optional.empty();
        }
        byte[] bytes = Arrays.copyOf(head.get(), V6_BYTES);
        int tailBytes = tail.get().length;
        System.arraycopy(tail.get(), 0, bytes, V6_BYTES - tailBytes, tailBytes);
        return Optional.of(bytes);
    }

    /** Parses groups of hexadecimal digits between colons. An empty text has no groups. */
    private static Optional<byte[]> groups(String text) {
        if (text.isEmpty()) {
            return Optional.of(new byte[0]);
        }
        String[] groups = text.split(":", -1);
        if (groups.length > GROUPS) {
            return Optional.empty();
        }
        byte[] bytes = new byte[2 * groups.length];
        for (int i = 0; i < groups.length; i++) {
            if (!groups[i].matches("[0-9a-fA-F]{1,4}")) {
                return Optional.empty();
            }
            int group = Integer.parseInt(groups[i], 16);
            bytes[2 * i] = (byte) (group >> 8);
            bytes[2 * i + 1] = (byte) group;
        }
        return Optional.of(bytes);
    }

    boolean isSameFamilyAs(IpAddress other) {
        return bytes.length == other.bytes.length;
    }

    /** Returns whether this address is numerically at or above another one of its family. */
    boolean isFrom(IpAddress first) {
        return Arrays.compareUnsigned(bytes, first.bytes) >= 0;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        if (bytes.length == V4_BYTES) {
            for (byte octet : bytes) {
                text.append(text.isEmpty() ? "" : ".").append(octet & 0xFF);
            }
        } else {
            for (int i = 0; i < bytes.length; i += 2) {
                text.append(text.isEmpty() ? "" : ":")
                        .append(Integer.toHexString((bytes[i] & 0xFF) << 8 | bytes[i + 1] & 0xFF));
            }
        }
        return text.toString();
    }
}
