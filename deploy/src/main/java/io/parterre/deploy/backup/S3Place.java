package io.parterre.deploy.backup;

import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A location in a bucket, written {@code s3://BUCKET/PREFIX?endpoint=URL&region=NAME}.
 *
 * @param prefix prefix of the objects' names; empty, or with a slash at its end
 * @param endpoint address of a service other than Amazon's; empty: Amazon's
 */
record S3Place(String bucket, String prefix, Optional<URI> endpoint, String region) {
    static final String SCHEME = "s3://";

    /** Other services mostly ignore the region. */
    private static final String REGION = "us-east-1";

    /**
     * Parses a location.
     *
     * @throws BackupException if it is malformed
     */
    static S3Place parse(String text) throws BackupException {
        String[] parts = text.substring(SCHEME.length()).split("\\?", 2);
        int slash = parts[0].indexOf('/');
        String bucket = slash < 0 ? parts[0] : parts[0].substring(0, slash);
        String prefix = slash < 0 ? "" : parts[0].substring(slash + 1);
        Map<String, String> options = new TreeMap<>();
        if (parts.length > 1) {
            for (String option : parts[1].split("&")) {
                String[] pair = option.split("=", 2);
                options.put(pair[0], pair.length > 1 ? pair[1] : "");
            }
        }
        Optional<String> endpoint = Optional.ofNullable(options.remove("endpoint"));
        String region = Optional.ofNullable(options.remove("region")).orElse(REGION);
        if (bucket.isEmpty() || !options.isEmpty()) {
            throw BackupException.refused(
                    "repository: "
                            + text
                            + " (expected: s3://BUCKET/PREFIX, then ?endpoint=URL and"
                            + " &region=NAME)");
        }
        try {
            return new S3Place(
                    bucket,
                    prefix.isEmpty() || prefix.endsWith("/") ? prefix : prefix + "/",
                    endpoint.map(URI::create),
                    region);
        } catch (IllegalArgumentException malformed) {
            throw BackupException.refused("repository: endpoint: " + malformed.getMessage());
        }
    }
}
