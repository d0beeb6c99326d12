package io.parterre.manager.map;

import io.parterre.release.FeatureLevel;
import java.util.Optional;

/** Converts feature levels to messages and back. Stateless and thread-safe. */
public final class LevelsCodec {
    private LevelsCodec() {}

    public static io.parterre.proto.manager.FeatureLevels toProto(
            io.parterre.release.FeatureLevels levels) {
        return io.parterre.proto.manager.FeatureLevels.newBuilder()
                .setOldest(levels.oldest().value())
                .setNewest(levels.newest().value())
                .build();
    }

    /**
     * Reads levels.
     *
     * @throws IllegalArgumentException if they are invalid
     */
    public static io.parterre.release.FeatureLevels fromProto(
            io.parterre.proto.manager.FeatureLevels message) {
        return new io.parterre.release.FeatureLevels(
                new FeatureLevel(message.getOldest()), new FeatureLevel(message.getNewest()));
    }

    /** Reads levels of a release that may not report any; empty if it does not. */
    public static Optional<io.parterre.release.FeatureLevels> fromProto(
            boolean told, io.parterre.proto.manager.FeatureLevels message) {
        return told ? Optional.of(fromProto(message)) : Optional.empty();
    }
}
