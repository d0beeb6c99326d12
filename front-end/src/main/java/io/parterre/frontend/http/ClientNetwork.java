package io.parterre.frontend.http;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * The network that one client comes from: an IPv4 address, or the /64 prefix of an IPv6 address. A
 * client that is given an IPv6 prefix chooses the other 64 bits freely.
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
