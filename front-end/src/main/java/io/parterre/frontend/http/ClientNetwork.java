package io.parterre.frontend.http;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * Who is one client as far as addresses tell: an IPv4 address, or the 64 bits of an IPv6 address
 * that networks hand out, since whoever has one address there has as many as they like.
 *
 * @param bits all of an IPv4 address; the first half of an IPv6 address
 */
record ClientNetwork(boolean ofIpv4, long bits) {
    static ClientNetwork of(InetAddress address) {
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return address instanceof Inet4Address
                ? new ClientNetwork(true, bytes.getInt())
                : new ClientNetwork(false, bytes.getLong());
    }
}
