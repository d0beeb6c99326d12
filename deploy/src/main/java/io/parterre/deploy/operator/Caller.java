package io.parterre.deploy.operator;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Who runs this process, for operators: user and machine, as the system tells them. */
final class Caller {
    private Caller() {}

    static String name() {
        return System.getProperty("user.name", "somebody") + "@" + host();
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "somewhere";
        }
    }
}
