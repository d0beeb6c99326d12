package io.parterre.testing;

/**
 * The tier of a test run: the short one answers in minutes and runs for every change, the long one
 * ({@code -Plong}) adds the courses, which are tagged {@code long}. A test that runs in both takes
 * its size from here.
 */
public final class Tier {
    private static final boolean LONG = "long".equals(System.getProperty("parterre.tier"));

    private Tier() {}

    /** Says whether this is a run of the long tier. */
    public static boolean isLong() {
        return LONG;
    }

    /**
     * Returns how often, or how many.
     *
     * @param property the system property that overrides both sizes
     * @param inShort the size in the short tier
     * @param inLong the size in the long tier
     * @throws NumberFormatException if the property is set to something other than an integer
     */
    public static int size(String property, int inShort, int inLong) {
        String given = System.getProperty(property);
        return given != null ? Integer.parseInt(given) : LONG ? inLong : inShort;
    }
}
