package io.parterre.deploy.transfer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** A folder of files of JSON lines, one for each part. */
final class FolderSink implements Sink {
    private final Path folder;

    FolderSink(Path folder) {
        this.folder = folder;
    }

    /** Returns the file of a part. */
    static Path file(Path folder, Part part) {
        return folder.resolve(String.format("part-%06d.jsonl", part.id()));
    }

    @Override
    public Writer open(Part part) throws IOException {
        return new Lines(file(folder, part), part.writtenBytes());
    }

    private static final class Lines implements Writer {
        private final FileChannel channel;
        private final OutputStream out;
        private long bytes;

        Lines(Path file, long keptBytes) throws IOException {
            channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (channel.size() < keptBytes) {
                channel.close();
                throw TransferException.lasting(
                        file + ": is shorter than the checkpoint says (begin from the start)");
            }
            channel.truncate(keptBytes);
            channel.position(keptBytes);
            out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16);
            bytes = keptBytes;
        }

        @Override
        public void write(List<ObjectNode> entities) throws IOException {
            for (ObjectNode each : entities) {
                byte[] line = EntityLines.line(each);
                out.write(line);
                out.write('\n');
                bytes += line.length + 1;
            }
            out.flush();
        }

        @Override
        public long writtenBytes() {
            return bytes;
        }

        /** Syncs the file, before the part is recorded as complete. */
        @Override
        public void close() throws IOException {
            try {
                out.flush();
                channel.force(true);
            } finally {
                channel.close();
            }
        }
    }
}
