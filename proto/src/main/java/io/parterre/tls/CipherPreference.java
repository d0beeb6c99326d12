package io.parterre.tls;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * The order in which this process, as a server, prefers cipher suites. The virtual machine uses the
 * processor's AES instructions only in code of its second compiler. A process without that
 * compiler, as in a local cluster, encrypts records several times faster with ChaCha20; a process
 * with it, with AES-GCM. Stateless; safe for any thread.
 */
public final class CipherPreference {
    private static final String CHACHA20 = "_CHACHA20_POLY1305_";
    private static final int SECOND_COMPILER = 4;

    private CipherPreference() {}

    /** Returns all of these suites, in the order that this process prefers. */
    public static List<String> of(List<String> suites) {
        return ordered(suites, hasSecondCompiler());
    }

    static List<String> ordered(List<String> suites, boolean secondCompiler) {
        if (secondCompiler) {
            return List.copyOf(suites);
        }
        List<String> ordered = new ArrayList<>(suites);
        ordered.removeIf(suite -> !suite.contains(CHACHA20));
        suites.stream().filter(suite -> !suite.contains(CHACHA20)).forEach(ordered::add);
        return List.copyOf(ordered);
    }

    /** Returns whether the second compiler finally compiles code that runs often. */
    static boolean hasSecondCompiler() {
        try {
            return Integer.parseInt(
                            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                                    .getVMOption("TieredStopAtLevel")
                                    .getValue())
                    == SECOND_COMPILER;
        } catch (RuntimeException otherMachine) {
            return true;
        }
    }
}
