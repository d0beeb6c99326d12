package io.parterre.tls;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * Order in which this process prefers cipher suites, as a server that chooses one. The virtual
 * machine computes AES by instructions of the processor in code of its second compiler alone. A
 * process that runs without that compiler, as those of a local cluster do, seals records several
 * times faster with ChaCha20; one that has it, with AES-GCM. Stateless; safe for any thread.
 */
public final class CipherPreference {
    private static final String CHACHA20 = "_CHACHA20_POLY1305_";
    private static final int SECOND_COMPILER = 4;

    private CipherPreference() {}

    /** All of these suites, in the order that this process prefers. */
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

    /** Whether code that runs often is compiled by the second compiler in the end. */
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
